import { numberOfPrefix } from "../../at-site/network.ts";
import { poolsIn } from "../../at-site/outside-prefixes.ts";
import { sitesOf } from "../../at-site/registered.ts";
import { numberOf, prefixAt, startOf } from "../../ipv4.ts";
import { outsidePrefixesKey, subnetPrefixesKey } from "../../kernel/object/keys.ts";
import type { NumberPool } from "../../ports/ipam/ipam.ts";
import { addressFamily, overlap, placeIn } from "../../prefix.ts";
import { numbersOfPool, numberWith } from "../../resources/external-ip-pool/numbers.ts";
import { addressesIn, subnetPoolName } from "../../resources/subnet/members.ts";
import { subnetsIn } from "../../resources/subnet/siblings.ts";
import { holdersOf, type NumberCandidate, type NumberDeps } from "./numbers.ts";
import { inWords, type Known, knownOwner, siteRecordOf } from "./owner.ts";
import type { Holding } from "./schema.ts";
import { candidateOf, ofPool, type SiteWithNetwork } from "./site-pools.ts";

/** Finds the holder of a VLAN id, an address or a prefix: at each site, or in one network of a tenant. */

/** The place to search. */
export interface Where {
  /** The id of one site; all of them by default. */
  site?: string | undefined;
  /** The id of a tenant's network: two networks of tenants may have the same addresses. */
  network?: string | undefined;
}

async function sitesAt(deps: NumberDeps, where: Where): Promise<SiteWithNetwork[]> {
  const sites = await sitesOf(deps);
  return sites.flatMap((site) => {
    const { network } = site.spec;
    const isAsked = where.site === undefined || where.site === site.id;
    return network && isAsked ? [{ site, network }] : [];
  });
}

/** The holder of a VLAN id at each site. */
export async function vlanHolders(
  deps: NumberDeps,
  vlan: number,
  where: Where,
): Promise<Holding[]> {
  const sites = await sitesAt(deps, where);
  return holdersOf(
    deps,
    sites.flatMap((each) => candidateOf(each, "vlans", vlan, ofPool.vlans(String(vlan)))),
  );
}

/** The holder of a prefix at each site, or the subnet of a network. */
export async function prefixHolders(
  deps: NumberDeps,
  prefix: string,
  where: Where,
): Promise<Holding[]> {
  const asked = { kind: "prefix", value: prefix } as const;
  if (where.network !== undefined) return subnetsWith(deps, asked, where.network);
  const sites = await sitesAt(deps, where);
  const ofSites =
    addressFamily(prefix) === "ipv4"
      ? sites.flatMap((each) => {
          const number = numberOfPrefix(each.network, prefix);
          return number === undefined
            ? []
            : candidateOf(each, "prefixes", number, ofPool.prefixes(prefix));
        })
      : [];
  const pools = (await outsidePools(deps, sites, where)).filter(({ cidrs }) =>
    cidrs.includes(prefix),
  );
  return [
    ...(await holdersOf(deps, ofSites)),
    ...(await Promise.all(
      pools.map(({ id, site }) => ownedBy(deps, { kind: "external_ip_pool", id }, asked, { site })),
    )),
  ];
}

/** The holder of an address: outside, in the prefix of a cluster, in a pool, or in a network of a tenant. */
export async function addressHolders(
  deps: NumberDeps,
  address: string,
  where: Where,
): Promise<Holding[]> {
  const asked = { kind: "ip", value: address } as const;
  if (where.network !== undefined) return memberWith(deps, address, where.network);
  const sites = await sitesAt(deps, where);
  const isFour = addressFamily(address) === "ipv4";
  const ofSites = isFour ? sites.flatMap((each) => ofSite(each, address)) : [];
  const pools = await outsidePools(deps, sites, where);
  const ofPools = pools.flatMap(({ id, site, cidrs }): NumberCandidate[] => {
    const number = numberWith(cidrs, address);
    if (number === undefined) return [];
    const spec = { cidrs, rest_minutes: 0 };
    const pool = numbersOfPool({ id, spec });
    return [{ place: { ...asked, pool: id, ...(site && { site }) }, pool, number }];
  });
  return holdersOf(deps, [...ofSites, ...ofPools]);
}

/** An outside address of a site, or an address in the prefix of a cluster. */
function ofSite(each: SiteWithNetwork, address: string): NumberCandidate[] {
  const asked = { kind: "ip", value: address } as const;
  const { cidr, length } = each.network.prefixes;
  const number = numberOf(address);
  const place = Math.floor((number - startOf(cidr)) / 2 ** (32 - length));
  return [
    ...candidateOf(each, "floating_ips", number, ofPool.floating_ips(address)),
    ...(placeIn(cidr, address) === undefined
      ? []
      : candidateOf(each, "prefixes", place, {
          ...asked,
          part: "layer3",
          role: () => `an address of its network ${prefixAt(cidr, length, place)}`,
        })),
  ];
}

interface OutsidePool {
  id: string;
  site: string | undefined;
  cidrs: string[];
}

/** The pools of outside addresses, from the item of each site. */
async function outsidePools(
  { store }: NumberDeps,
  sites: SiteWithNetwork[],
  where: Where,
): Promise<OutsidePool[]> {
  const places = [
    ...sites.map(({ site }) => site.id),
    ...(where.site === undefined ? [undefined] : []),
  ];
  const items = await store.getMany(places.map(outsidePrefixesKey));
  return items.flatMap((item, n) =>
    poolsIn(item).map(({ id, cidrs }) => ({ id, cidrs, site: places[n] })),
  );
}

async function ownedBy(
  deps: NumberDeps,
  claimant: { kind: string; id: string },
  asked: Pick<Holding, "kind" | "value">,
  place: { site?: string | undefined; network?: string; subnet?: string },
): Promise<Holding> {
  const { owner } = await knownOwner(deps, claimant);
  const { site, ...rest } = place;
  const message = `held by ${inWords(owner)}`;
  return { ...asked, ...rest, ...(site !== undefined && { site }), state: "HELD", message, owner };
}

async function subnetsWith(
  deps: NumberDeps,
  asked: { kind: "prefix"; value: string },
  network: string,
): Promise<Holding[]> {
  const subnets = subnetsIn(await deps.store.get(subnetPrefixesKey(network)));
  const found = subnets.filter(({ cidrs }) => cidrs.some((cidr) => overlap(cidr, asked.value)));
  return Promise.all(
    found.map(({ id }) => ownedBy(deps, { kind: "subnet", id }, asked, { network, subnet: id })),
  );
}

/** The member of a network's subnet that has an address. */
async function memberWith(deps: NumberDeps, address: string, network: string): Promise<Holding[]> {
  const subnets = subnetsIn(await deps.store.get(subnetPrefixesKey(network)));
  const found = subnets.filter(({ cidrs }) =>
    cidrs.some((cidr) => placeIn(cidr, address) !== undefined),
  );
  if (addressFamily(address) !== "ipv4")
    return Promise.all(
      found.map(({ id }) =>
        ownedBy(
          deps,
          { kind: "subnet", id },
          { kind: "ip", value: address },
          { network, subnet: id },
        ),
      ),
    );
  return holdersOf(
    deps,
    found.map(({ id }): NumberCandidate => {
      const place = { kind: "ip", value: address, network, subnet: id } as const;
      return { place, pool: addressesOf(id), number: numberOf(address), role: memberOf(address) };
    }),
  );
}

/** Its bounds are irrelevant for a read of one number by key. */
const addressesOf = (subnet: string): NumberPool => ({
  ...{ name: subnetPoolName(subnet), first: 0, size: 2 ** 32, rest: 0 },
});

/** The use of an address in a subnet by its owner. */
const memberOf =
  (address: string) =>
  ({ object }: Known): string | undefined => {
    const network = siteRecordOf(object)?.network;
    const [name] = Object.entries(addressesIn(network)).find(([, each]) => each === address) ?? [];
    return name === undefined ? undefined : `its ${name}`;
  };
