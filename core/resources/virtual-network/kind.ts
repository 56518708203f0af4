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

export const kind: KindDefinition<"virtual_network"> = {
  ...madeOutside,
  // Tenants do not see how the provider separates networks.
  privateMembers: ["status.vni", ...privateInWaits],
  shown: { ...madeOutsideShown, ...spreadShown, "status.vni": ({ vni }) => vni },
  references: ({ spec, hub }) => [
    { kind: "network_class", id: spec.network_class.id },
    ...(hub ? [{ kind: "hub", id: hub.id } as const] : []),
  ],
  status: (object) => madeStatusOf("VIRTUAL_NETWORK", object),
};

export const permissions = madeOutsidePermissions;

export const documentation: Documentation = {
  meaning: "A tenant's own network, apart from all others.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: { metadata: { name: "office" }, spec: { ipv4_cidr: "10.20.0.0/16" } },
  belongsToTenants: true,
  answer: ofTenant("shop", {
    spec: { ipv4_cidr: "10.20.0.0/16", network_class: referred("isolated") },
    status: { state: "VIRTUAL_NETWORK_STATE_READY" },
  }),
};
