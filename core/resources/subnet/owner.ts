import type { OwnedSubnet } from "../../ports/network/network.ts";
import { networkOf, ownerOf } from "../site/owner.ts";
import type { Subnet } from "./model.ts";

/** A subnet in the terms of the systems at its site. Pure: the same record always gives the same owner. */
export const ownedSubnet = (subnet: Subnet): OwnedSubnet => ({
  ...ownerOf(subnet),
  network: {
    kind: "virtual_network",
    id: subnet.spec.virtual_network.id,
    tenant: subnet.metadata.tenant,
    name: subnet.network_infra_id,
  },
});

/** The segment of the fabric that it has to itself. */
export const segmentOf = networkOf;
