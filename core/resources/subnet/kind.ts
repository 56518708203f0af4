import type { KindDefinition } from "../../kernel/object/kind.ts";
import { spreadShown } from "../network-class/spread.ts";
import {
  madeAtSite,
  madeAtSitePermissions,
  madeAtSiteShown,
  statusOf,
} from "../site/made-at-site.ts";

export const kind: KindDefinition<"subnet"> = {
  ...madeAtSite,
  // How the provider separates networks is not the tenant's business.
  privateMembers: ["status.vlan"],
  shown: {
    ...madeAtSiteShown,
    ...spreadShown,
    "status.vlan": ({ site }) => site?.vlan,
  },
  references: ({ spec }) => [{ kind: "virtual_network", id: spec.virtual_network.id }],
  status: (object) => statusOf("SUBNET", object),
};

export const permissions = madeAtSitePermissions;
