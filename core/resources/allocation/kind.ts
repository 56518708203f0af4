import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";
import { manage, type PermissionsOf, read } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"allocation"> = {
  events: commonChanges,
  // Tenants do not see which hosts of the provider these are, nor where.
  privateMembers: ["spec.site", "status.host_types"],
  shown: {
    spec: ({ spec }) => spec,
    "status.host_types": ({ host_types }) => host_types,
  },
  // The items that remain of a deleted allocation are found by its id, so no id is used twice.
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

export const documentation: Documentation = {
  meaning: "Hosts that are reserved for a tenant.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "training", tenant: "tenant-a" },
    spec: { host_type: "fc430", reserved: 2 },
  },
  belongsToTenants: true,
  change: { spec: { reserved: 3 } },
  answer: ofTenant("training", {
    spec: { host_type: "fc430", reserved: 8 },
    status: { kept: 2, used: 5, lacking: 1 },
  }),
  osacLacksIt: true,
};
