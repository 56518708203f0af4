import { inNetwork, networkOf } from "../../at-site/owner.ts";
import type { InNetwork } from "../../ports/network/network.ts";
import type { Subnet } from "./model.ts";

/** A subnet as an owner at the system that makes it. Pure: the same record always gives the same owner. */
export const ownedSubnet = (subnet: Subnet): InNetwork => inNetwork(subnet);

/** The segment of the fabric that belongs to it alone. */
export const segmentOf = networkOf;
