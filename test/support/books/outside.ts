import type { Check } from "./check.ts";
import type { SiteBooks } from "./site.ts";

/** Of these there is one each, whoever it belongs to. */
const single = [
  ...["vlan", "prefix", "address", "subnet", "reservation", "dns_record", "rbd_namespace"],
  ...["ceph_user", "netbox_vlan", "netbox_prefix", "netbox_address"],
];

/** Every thing outside belongs to exactly one live order, or to nobody. */
export const outside: Check<SiteBooks> = {
  of: [],
  wrong({ world, placed: holders, sited: atSites }) {
    const ledger = world.ledger();
    const placed = new Set<string>(holders.flatMap((each) => (each.placement ? [each.id] : [])));
    const networks = new Set(
      atSites.flatMap(({ kind, id, site, hub }) =>
        kind !== "cluster" && kind !== "baremetal_instance" && (site || hub) ? [id] : [],
      ),
    );
    const sited = new Set<string>(atSites.flatMap(({ id, site }) => (site ? [id] : [])));
    // Tenants' networks may have the same prefixes.
    const items = ledger.filter(
      ({ kind, owner }) =>
        single.includes(kind) && !(kind === "prefix" && owner?.kind === "subnet"),
    );
    const names = items.map(({ kind, id }) => `${kind} ${id}`);
    const twice = names.filter((name, n) => names.indexOf(name) < n);
    const unheld = ledger.flatMap(({ kind, id, owner }) =>
      owner === null || owner.kind === "host" || placed.has(owner.id) || networks.has(owner.id)
        ? []
        : [`${kind} ${id} belongs to ${owner.id}, which holds nothing`],
    );
    const lost = items.filter(({ owner }) => owner !== null && !sited.has(owner.id));
    return [
      ...unheld,
      ...twice.map((name) => `${name} is there twice`),
      ...lost.map(({ kind, id }) => `${kind} ${id} belongs to something that is at no site`),
    ];
  },
};
