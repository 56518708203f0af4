import { inNetwork, networkOf } from "../../at-site/owner.ts";
import type { InNetwork } from "../../ports/network/network.ts";
import type { Subnet } from "./model.ts";

/** A subnet in the terms of who makes it real. Pure: the same record always gives the same owner. */
export const ownedSubnet = (subnet: Subnet): InNetwork => inNetwork(subnet);

/** The segment of the fabric that it has to itself. */
export const segmentOf = networkOf;
