import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "OpenShift releases.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "4-19-0" },
    spec: {
      version: "4.19.0",
      image: "quay.io/openshift-release-dev/ocp-release:4.19.0-multi",
      state: "CLUSTER_VERSION_STATE_ACTIVE",
    },
  },
  answer: ofProvider("4-17-3", {
    spec: {
      ...{ version: "4.17.3", enabled: true, is_default: true },
      state: "CLUSTER_VERSION_STATE_ACTIVE",
    },
    status: {},
  }),
};
