import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";
import { manage, type PermissionsOf, provided } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"host_type"> = {
  events: commonChanges,
  shown: { "": ({ spec }) => spec },
  shared: {},
  privateMembers: ["firmware"],
  referencedByOthers: {},
};

export const permissions: PermissionsOf = { public: provided, private: manage };

export const documentation: Documentation = {
  meaning: "Types of servers, and the number of free ones.",
  groups: { public: "Order", private: "Provider" },
  example: { metadata: { name: "gpu" }, title: "With two accelerators" },
  answer: ofProvider("fc430", {
    title: "Standard server",
    description: "2 × 16 cores, 128 GiB",
    status: { availability: [{ region: "eu-west", total: 6, free: 4 }] },
  }),
};
