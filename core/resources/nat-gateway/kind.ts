import {
  madeOutside,
  madeOutsidePermissions,
  madeOutsideShown,
  statusOf,
} from "../../at-site/made-outside.ts";
import type { KindDefinition } from "../../kernel/object/kind.ts";

export const kind: KindDefinition<"nat_gateway"> = {
  ...madeOutside,
  shown: madeOutsideShown,
  references: ({ spec }) => [
    { kind: "virtual_network", id: spec.virtual_network.id },
    { kind: "external_ip", id: spec.external_ip.id },
  ],
  status: (gateway) => ({
    ...statusOf("NAT_GATEWAY", gateway),
    external_ip_address: gateway.address,
  }),
};

export const permissions = madeOutsidePermissions;
