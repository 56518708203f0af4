import { commonChanges } from "../../../kernel/object/kind.ts";
import { governed, manage, type PermissionsOf } from "../../../kernel/request/permissions.ts";
import { type CatalogItemSpec, isOffered } from "./item.ts";

/** What the definitions of kinds of offers share. */
export const catalogItem = {
  events: commonChanges,
  // Which other tenants have an offer is not a tenant's business.
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
