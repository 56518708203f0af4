import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, type PermissionsOf } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"site"> = {
  // The provider's administrators are told.
  events: commonChanges,
  shown: { spec: ({ spec: { credentials: _, ...spec } }) => spec, status: ({ status }) => status },
};

export const permissions: PermissionsOf = { private: manage };
