import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, type PermissionsOf, staff } from "../../kernel/request/permissions.ts";
import { siteSpecShown } from "./shown.ts";

export const kind: KindDefinition<"site"> = {
  // Events of sites are for the provider's administrators.
  events: commonChanges,
  shown: { spec: siteSpecShown, status: ({ status }) => status },
  referencedByOthers: { named: true },
};

export const permissions: PermissionsOf = { private: { ...manage, numbers: staff } };
