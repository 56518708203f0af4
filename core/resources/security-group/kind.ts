import {
  madeOutside,
  madeOutsidePermissions,
  madeOutsideShown,
} from "../../at-site/made-outside.ts";
import type { KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofTenant, referred } from "../../kernel/request/documentation.ts";
import { directions } from "./rules.ts";
import { securityGroupStatus } from "./status.ts";

export const kind: KindDefinition<"security_group"> = {
  ...madeOutside,
  shown: madeOutsideShown,
  references: ({ id, spec }) => {
    const named = directions
      .flatMap((direction) => spec[direction])
      .flatMap(({ security_group: group }) => (group && group.id !== id ? [group.id] : []));
    return [
      { kind: "virtual_network", id: spec.virtual_network.id },
      ...[...new Set(named)].map((group) => ({ kind: "security_group", id: group }) as const),
    ];
  },
  status: securityGroupStatus,
};

export const permissions = madeOutsidePermissions;

const ingress = [
  { protocol: "PROTOCOL_TCP", port_from: 443, port_to: 443, ipv4_cidr: "0.0.0.0/0" },
];
const egress = [{ protocol: "PROTOCOL_ALL", ipv4_cidr: "0.0.0.0/0" }];

export const documentation: Documentation = {
  meaning: "The traffic allowed to and from the members of a group.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: {
    metadata: { name: "web" },
    spec: { virtual_network: { name: "shop" }, ingress, egress },
  },
  belongsToTenants: true,
  answer: ofTenant("web", {
    spec: { virtual_network: referred("shop"), ingress, egress },
    status: { state: "SECURITY_GROUP_STATE_READY", wanted_version: 1, applied_version: 1 },
  }),
};
