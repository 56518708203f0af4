import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, type PermissionsOf, provided } from "../../kernel/request/permissions.ts";
import { hostTypesOf } from "./model.ts";
import { contentShown } from "./shown.ts";

export const kind: KindDefinition<"cluster_template"> = {
  events: commonChanges,
  // Tenants see what they can order; how the cluster is made is the provider's business.
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
