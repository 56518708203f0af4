import {
  madeOutside,
  madeOutsidePermissions,
  madeOutsideShown,
  statusOf,
} from "../../at-site/made-outside.ts";
import type { KindDefinition } from "../../kernel/object/kind.ts";
import { privateInWaits } from "../../kernel/saga/wait.ts";
import { spreadShown } from "../network-class/spread.ts";

export const kind: KindDefinition<"subnet"> = {
  ...madeOutside,
  // How the provider separates networks is not the tenant's business.
  privateMembers: ["status.vlan", ...privateInWaits],
  shown: {
    ...madeOutsideShown,
    ...spreadShown,
    "status.vlan": ({ site }) => site?.vlan,
  },
  references: ({ spec }) => [{ kind: "virtual_network", id: spec.virtual_network.id }],
  status: (object) => statusOf("SUBNET", object),
};

export const permissions = madeOutsidePermissions;
