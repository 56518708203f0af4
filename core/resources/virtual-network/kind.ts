import type { KindDefinition } from "../../kernel/object/kind.ts";
import { manage, ordered, type PermissionsOf } from "../../kernel/request/permissions.ts";
import { madeAtSite, madeAtSiteShown, statusOf } from "../site/made-at-site.ts";

export const kind: KindDefinition<"virtual_network"> = {
  ...madeAtSite,
  shown: madeAtSiteShown,
  references: ({ spec }) => [{ kind: "network_class", id: spec.network_class.id }],
  status: (object) => statusOf("VIRTUAL_NETWORK", object),
};

export const permissions: PermissionsOf = { public: ordered, private: manage };
