import { commonChanges } from "../../../kernel/object/kind.ts";
import { governed, manage, type PermissionsOf } from "../../../kernel/request/permissions.ts";
import { type CatalogItemSpec, isOffered } from "./item.ts";

/** The part that the definitions of all kinds of offers share. */
export const catalogItem = {
  events: commonChanges,
  // A tenant does not see which other tenants have an offer.
  privateMembers: ["tenants"],
  shown: { "": ({ spec }: Item) => spec },
  shared: { isOffered: ({ spec }: Item, tenant: string) => isOffered(spec, tenant) },
  referencedByOthers: {},
  stored: {
    claim: ({ spec }: Item) => ({ template: spec.template.id }),
  },
} as const;

interface Item {
  spec: CatalogItemSpec;
}

export const catalogItemPermissions: PermissionsOf = { public: governed, private: manage };
