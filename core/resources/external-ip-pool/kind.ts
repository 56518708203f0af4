import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";
import { manage, type PermissionsOf, read } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"external_ip_pool"> = {
  events: commonChanges,
  // Tenants do not see where and how the provider manages addresses.
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

export const documentation: Documentation = {
  meaning: "Outside addresses, from which tenants get external IPs.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: {
    metadata: { name: "more" },
    spec: { ip_family: "IP_FAMILY_IPV4", cidrs: ["203.0.113.64/28"], site: { name: "site-1" } },
  },
  answer: ofProvider("outside", {
    spec: { ip_family: "IP_FAMILY_IPV4" },
    status: { state: "EXTERNAL_IP_POOL_STATE_READY", available: 12 },
  }),
};
