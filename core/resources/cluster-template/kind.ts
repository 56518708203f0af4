import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofProvider, referred } from "../../kernel/request/documentation.ts";
import { manage, type PermissionsOf, provided } from "../../kernel/request/permissions.ts";
import { hostTypesOf } from "./model.ts";
import { contentShown } from "./shown.ts";

export const kind: KindDefinition<"cluster_template"> = {
  events: commonChanges,
  // Tenants see what they can order, but not how the provider makes the cluster.
  privateMembers: ["operators", "manifests", "validation", "on_failure"],
  shown: { "": contentShown },
  shared: {},
  references: ({ spec }) => [
    ...(spec.version === undefined ? [] : [{ kind: "cluster_version" as const, id: spec.version }]),
    ...[...new Set(hostTypesOf(spec))].map((id) => ({ kind: "host_type", id }) as const),
    ...(spec.pull_secret_secret
      ? [{ kind: "secret" as const, id: spec.pull_secret_secret.id }]
      : []),
  ],
  referencedByOthers: {},
};

export const permissions: PermissionsOf = { public: provided, private: manage };

export const documentation: Documentation = {
  meaning: "Templates for clusters, with parameters.",
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
