import { networkIn, ownerOf, segmentsOf } from "../site/owner.ts";
import type { Owning } from "../site/owners.ts";

/** The things that instances own outside: the ports of their hosts. */
export const owning: Owning<"baremetal_instance"> = {
  owner: ownerOf,
  removeFrom: async ({ fabric }, instance) => {
    for (const segment of segmentsOf(instance))
      await fabric?.removeAttachments(networkIn(instance, segment));
  },
  parts: {
    areMade: ({ published }) => published,
    wantsStorage: async () => false,
  },
};
