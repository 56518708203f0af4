import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, type PermissionsOf, read } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"external_ip_pool"> = {
  events: commonChanges,
  // Where and how the provider keeps addresses is not the tenant's business.
  privateMembers: [
    ...["spec.cidrs", "spec.site", "spec.implementation_strategy"],
    ...["spec.low_mark", "spec.rest_minutes"],
    ...["status.total", "status.allocated", "status.resting", "status.low"],
  ],
  shared: {},
  isForGood: true,
  references: ({ spec }) => (spec.site ? [{ kind: "site", id: spec.site.id }] : []),
  referencedByOthers: { named: true },
};

export const permissions: PermissionsOf = { public: read, private: manage };
