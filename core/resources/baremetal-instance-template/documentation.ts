import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";

const image = { source_type: "registry", source_ref: "quay.io/images/rhel:9.6" };

export const documentation: Documentation = {
  meaning: "What servers are ordered by: a type, an image, and parameters.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "rhel-server-2" },
    title: "Another server with RHEL",
    host_type: "bm-standard",
    spec_defaults: { image },
  },
  answer: ofProvider("rhel-server", {
    title: "A server with RHEL",
    parameters: [],
    host_type: "bm-standard",
    spec_defaults: { image },
  }),
};
