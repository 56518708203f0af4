import type { KindDefinition } from "../../kernel/object/kind.ts";
import { spreadShown } from "../network-class/spread.ts";
import {
  madeAtSite,
  madeAtSitePermissions,
  madeAtSiteShown,
  statusOf,
} from "../site/made-at-site.ts";

export const kind: KindDefinition<"virtual_network"> = {
  ...madeAtSite,
  // How the provider separates networks is not the tenant's business.
  privateMembers: ["status.vni"],
  shown: { ...madeAtSiteShown, ...spreadShown, "status.vni": ({ vni }) => vni },
  references: ({ spec }) => [{ kind: "network_class", id: spec.network_class.id }],
  status: (object) => statusOf("VIRTUAL_NETWORK", object),
};

export const permissions = madeAtSitePermissions;
