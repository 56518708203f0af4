import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";
import { manage, type PermissionsOf, read } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"bare_metal_instance_type"> = {
  events: commonChanges,
  // Tenants do not see which hosts of the provider serve a type.
  privateMembers: ["spec.host_label_selector", "status.host_types"],
  shared: {},
  referencedByOthers: {},
};

export const permissions: PermissionsOf = { public: read, private: manage };

const hardware = {
  cpu: { cores: 32, threads_per_core: 2 },
  memory: { total_gb: 128 },
};

export const documentation: Documentation = {
  meaning: "Types of bare-metal servers.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "bm-large" },
    spec: { description: "2 × 16 cores, 128 GB", hardware },
  },
  answer: ofProvider("bm-standard", {
    spec: { description: "2 × 16 cores, 128 GB", hardware },
    status: {},
  }),
};
