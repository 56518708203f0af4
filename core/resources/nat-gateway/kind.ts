import {
  madeOutside,
  madeOutsidePermissions,
  madeOutsideShown,
  madeStatusOf,
} from "../../at-site/made-outside.ts";
import type { KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofTenant, referred } from "../../kernel/request/documentation.ts";

export const kind: KindDefinition<"nat_gateway"> = {
  ...madeOutside,
  shown: madeOutsideShown,
  references: ({ spec }) => [
    { kind: "virtual_network", id: spec.virtual_network.id },
    { kind: "external_ip", id: spec.external_ip.id },
  ],
  status: (gateway) => ({
    ...madeStatusOf("NAT_GATEWAY", gateway),
    external_ip_address: gateway.address,
  }),
};

export const permissions = madeOutsidePermissions;

export const documentation: Documentation = {
  meaning: "Outbound access of networks, with a fixed address.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: {
    metadata: { name: "way-out" },
    spec: { virtual_network: { name: "shop" }, external_ip: { name: "egress" } },
  },
  belongsToTenants: true,
  answer: ofTenant("way-out", {
    spec: { virtual_network: referred("shop"), external_ip: referred("egress") },
    status: { state: "NAT_GATEWAY_STATE_READY", external_ip_address: "203.0.113.80" },
  }),
};
