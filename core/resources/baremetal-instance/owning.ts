import { networkIn, ownerOf } from "../../at-site/owner.ts";
import type { Owning } from "../../at-site/owners.ts";
import { everyStand } from "./networks.ts";

/** Instances own the ports of their hosts. */
export const owning: Owning<"baremetal_instance"> = {
  owner: ownerOf,
  removeFrom: async ({ fabric }, instance) => {
    for (const stand of everyStand(instance))
      await fabric?.removeAttachments(networkIn(instance, stand));
  },
  parts: {
    areMade: ({ published }) => published,
    wantsStorage: async () => false,
  },
};
