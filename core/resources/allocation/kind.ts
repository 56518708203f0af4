import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, type PermissionsOf, read } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"allocation"> = {
  events: commonChanges,
  // Where the provider's hosts are, and which, is not the tenant's business.
  privateMembers: ["spec.site", "status.host_types"],
  shown: {
    spec: ({ spec }) => spec,
    "status.host_types": ({ host_types }) => host_types,
  },
  // What is left of one is found by its id.
  isForGood: true,
  references: ({ spec: { instance_type, site }, host_types }) => [
    ...host_types.map((id) => ({ kind: "host_type", id }) as const),
    ...(instance_type === undefined
      ? []
      : [{ kind: "bare_metal_instance_type", id: instance_type } as const]),
    ...(site === undefined ? [] : [{ kind: "site", id: site } as const]),
  ],
  referencedByOthers: { named: true },
};

export const permissions: PermissionsOf = { public: read, private: manage };
