import type { KindDefinition } from "../../kernel/object/kind.ts";
import { manage, ordered, type PermissionsOf } from "../../kernel/request/permissions.ts";
import { madeAtSite, madeAtSiteShown, statusOf } from "../site/made-at-site.ts";

export const kind: KindDefinition<"subnet"> = {
  ...madeAtSite,
  // How the provider separates networks is not the tenant's business.
  privateMembers: ["status.vlan"],
  shown: {
    ...madeAtSiteShown,
    "status.vlan": ({ site }) => site?.vlan,
  },
  references: ({ spec }) => [{ kind: "virtual_network", id: spec.virtual_network.id }],
  status: (object) => statusOf("SUBNET", object),
};

export const permissions: PermissionsOf = { public: ordered, private: manage };
