import { inNetwork, ownerOf } from "../../at-site/owner.ts";
import type { Owning } from "../../at-site/owners.ts";

/** The things that security groups own outside. */
export const owning: Owning<"security_group"> = {
  owner: ownerOf,
  removeFrom: async ({ networks }, group) => {
    await networks?.removeGroup(inNetwork(group));
  },
  onHub: {
    keeps: [],
    remove: async ({ networks }, group) => {
      await networks.removeGroup(inNetwork(group));
    },
  },
};
