import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "Offers: a template with what may be chosen.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "small-cluster" },
    title: "A small cluster",
    template: { id: "ocp_4_17_small" },
    published: true,
    field_definitions: [{ path: "node_sets.workers.size", editable: true, default: 2 }],
  },
  answer: ofTenant("small-cluster", {
    title: "A small cluster",
    template: { id: "ocp_4_17_small", name: "ocp-4-17-small" },
    published: true,
    field_definitions: [{ path: "node_sets.workers.size", editable: true, default: 2 }],
  }),
};
