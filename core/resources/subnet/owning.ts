import { ownerOf } from "../../at-site/owner.ts";
import type { Owning } from "../../at-site/owners.ts";
import { ownedSubnet, segmentOf } from "./owner.ts";

/** The things that subnets own outside. */
export const owning: Owning<"subnet"> = {
  owner: ownerOf,
  removeFrom: async ({ fabric, networks }, subnet) => {
    const removal = await networks?.removeSubnet(ownedSubnet(subnet));
    // If the segment is still in use, the next sweep tries again.
    if (removal?.state === "absent") await fabric?.removeLayer2(segmentOf(subnet));
  },
  onHub: {
    keeps: [],
    remove: async ({ networks }, subnet) => {
      await networks.removeSubnet(ownedSubnet(subnet));
    },
  },
};
