import type { KindDefinition } from "../../kernel/object/kind.ts";
import {
  madeAtSite,
  madeAtSitePermissions,
  madeAtSiteShown,
  statusOf,
} from "../site/made-at-site.ts";

export const kind: KindDefinition<"virtual_network"> = {
  ...madeAtSite,
  shown: madeAtSiteShown,
  references: ({ spec }) => [{ kind: "network_class", id: spec.network_class.id }],
  status: (object) => statusOf("VIRTUAL_NETWORK", object),
};

export const permissions = madeAtSitePermissions;
