import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, type PermissionsOf } from "../../kernel/request/permissions.ts";
import { siteSpecShown } from "./shown.ts";

export const kind: KindDefinition<"site"> = {
  // The provider's administrators are told.
  events: commonChanges,
  shown: { spec: siteSpecShown, status: ({ status }) => status },
};

export const permissions: PermissionsOf = { private: manage };
