import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, type PermissionsOf, provided } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"host_type"> = {
  events: commonChanges,
  shown: { "": ({ spec }) => spec },
  shared: {},
  privateMembers: ["firmware"],
  referencedByOthers: {},
};

export const permissions: PermissionsOf = { public: provided, private: manage };
