import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofTenant, referred } from "../../kernel/request/documentation.ts";
import { manage, ordered, type PermissionsOf } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"external_ip"> = {
  events: commonChanges,
  inProjects: true,
  references: ({ spec }) => [{ kind: "external_ip_pool", id: spec.pool.id }],
  referencedByOthers: { named: true },
  status: ({ address, attached_to }) => ({
    state: "EXTERNAL_IP_STATE_ALLOCATED",
    address,
    attached: attached_to !== undefined,
  }),
};

export const permissions: PermissionsOf = { public: ordered, private: manage };

export const documentation: Documentation = {
  meaning: "Outside addresses that a tenant has.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: { metadata: { name: "front" }, spec: { pool: { name: "outside" } } },
  belongsToTenants: true,
  answer: ofTenant("front", {
    spec: { pool: referred("outside") },
    status: { state: "EXTERNAL_IP_STATE_ALLOCATED", address: "203.0.113.80", attached: false },
  }),
};
