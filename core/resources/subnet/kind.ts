import {
  madeOutside,
  madeOutsidePermissions,
  madeOutsideShown,
  madeStatusOf,
} from "../../at-site/made-outside.ts";
import type { KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofTenant, referred } from "../../kernel/request/documentation.ts";
import { privateInWaits } from "../../kernel/saga/wait.ts";
import { spreadShown } from "../network-class/spread.ts";

export const kind: KindDefinition<"subnet"> = {
  ...madeOutside,
  // Tenants do not see how the provider separates networks.
  privateMembers: ["status.vlan", ...privateInWaits],
  shown: {
    ...madeOutsideShown,
    ...spreadShown,
    "status.vlan": ({ site }) => site?.vlan,
  },
  references: ({ spec }) => [{ kind: "virtual_network", id: spec.virtual_network.id }],
  status: (object) => madeStatusOf("SUBNET", object),
};

export const permissions = madeOutsidePermissions;

export const documentation: Documentation = {
  meaning: "Parts of a network, for clusters and servers.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: {
    metadata: { name: "web" },
    spec: { virtual_network: { name: "shop" }, ipv4_cidr: "10.20.1.0/24" },
  },
  belongsToTenants: true,
  answer: ofTenant("web", {
    spec: { virtual_network: referred("shop"), ipv4_cidr: "10.20.1.0/24" },
    status: {
      state: "SUBNET_STATE_READY",
      gateways: ["10.20.1.1"],
      addresses: { total: 251, used: 6, resting: 0, free: 245 },
    },
  }),
};
