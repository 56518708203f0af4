import { asHostId } from "../../id.ts";
import type { HostLink, OwnedNetwork } from "../../ports/fabric/fabric.ts";
import type { Owner } from "../../ports/owner.ts";
import type { Host } from "../host/model.ts";
import { type AtSite, floatingIpUses } from "./at-site.ts";

/**
 * An object at a site, in the terms of the systems there. Pure: the same record always gives the same
 * owner.
 */

export const ownerOf = ({ kind, id, infra_id, metadata }: AtSite): Owner => ({
  kind,
  id,
  tenant: metadata.tenant,
  name: infra_id,
});

/** The network of the object's hosts. */
export const networkOf = (target: AtSite): OwnedNetwork => ({
  ...ownerOf(target),
  uses: floatingIpUses,
});

/** The cabling of a host, as the inventory knows it. */
export const linksOf = ({ id, spec }: Host): HostLink[] =>
  spec.nics.map(({ mac, switch: name, port }) => ({
    host: asHostId(id),
    mac,
    switch: name,
    port,
  }));
