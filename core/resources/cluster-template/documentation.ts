import { type Documentation, ofProvider, referred } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "What can be ordered, and its parameters.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "two-workers" },
    title: "Two workers",
    parameters: [{ name: "owner", type: "string", required: true }],
    node_sets: { workers: { host_type: "fc430", size: 2 } },
  },
  answer: ofProvider("ocp-4-17-small", {
    id: "ocp_4_17_small",
    title: "Small OpenShift cluster",
    parameters: [{ name: "monitoring", title: "Keep metrics", type: "boolean", default: false }],
    node_sets: { workers: { host_type: referred("fc430"), size: 2 } },
    spec_defaults: { version: referred("4-17-3") },
    revision: 1,
  }),
};
