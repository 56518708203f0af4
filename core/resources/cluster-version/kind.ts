import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";
import { manage, type PermissionsOf, provided } from "../../kernel/request/permissions.ts";
import type { ClusterVersion } from "./model.ts";

/** The spec of a version in the API's answers, with defaults filled in. */
export const versionShown = ({ spec }: Pick<ClusterVersion, "spec">) => ({
  version: spec.version,
  ...(spec.upgrades_from ? { upgrades_from: spec.upgrades_from } : {}),
  enabled: spec.enabled ?? true,
  is_default: spec.is_default ?? false,
  state: spec.state ?? ("CLUSTER_VERSION_STATE_ACTIVE" as const),
  ...(spec.deprecation ? { deprecation: spec.deprecation } : {}),
  image: spec.image,
});

export const kind: KindDefinition<"cluster_version"> = {
  events: commonChanges,
  privateMembers: ["spec.image"],
  shown: { spec: versionShown },
  shared: {},
  referencedByOthers: {},
};

export const permissions: PermissionsOf = { public: provided, private: manage };

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
