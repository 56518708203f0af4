import { ownerOf } from "../../at-site/owner.ts";
import type { Owning } from "../../at-site/owners.ts";

/** Networks own parts at sites and on hubs. */
export const owning: Owning<"virtual_network"> = {
  owner: ownerOf,
  removeFrom: async ({ networks }, network) => {
    await networks?.removeNetwork(ownerOf(network));
  },
  onHub: {
    keeps: [],
    remove: async ({ networks }, network) => {
      await networks.removeNetwork(ownerOf(network));
    },
  },
};
