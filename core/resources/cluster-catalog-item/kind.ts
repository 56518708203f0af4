import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { governed, manage, type PermissionsOf } from "../../kernel/request/permissions.ts";
import { isOffered } from "./model.ts";

export const kind: KindDefinition<"cluster_catalog_item"> = {
  events: commonChanges,
  // Which other tenants have an offer is not a tenant's business.
  privateMembers: ["tenants"],
  shown: { "": ({ spec }) => spec },
  shared: { isOffered: ({ spec }, tenant) => isOffered(spec, tenant) },
  references: ({ spec }) => [{ kind: "cluster_template", id: spec.template.id }],
  referencedByOthers: {},
  claim: ({ spec }) => ({ template: spec.template.id }),
};

export const permissions: PermissionsOf = { public: governed, private: manage };
