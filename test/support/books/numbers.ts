import { prefixNumberOf, type SiteRecord } from "../../../core/at-site/at-site.ts";
import { type PoolUse, poolName, poolUses } from "../../../core/at-site/site.ts";
import { numberOf } from "../../../core/ipv4.ts";
import {
  allocatedNumberKey,
  allocatedNumberPartition,
  foreignNumberPartition,
  numberKey,
  numbersKey,
  restingPartition,
} from "../../../core/kernel/object/number-keys.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import { leafNumbers, poolOfNumber } from "../../../core/resources/dpu/leaf.ts";
import { numbersOfPool, numberWith } from "../../../core/resources/external-ip-pool/numbers.ts";
import { classPoolsOf } from "../../../core/resources/network-class/pools.ts";
import { addressesIn, subnetPoolName } from "../../../core/resources/subnet/members.ts";
import type { Check } from "./check.ts";
import { type Claim, wrongInClaims } from "./claims.ts";
import type { SiteBooks } from "./site.ts";
import { Sums } from "./sums.ts";
import { placeOf, type Table } from "./table.ts";

/** How each pool's numbers are held. */
const numbersOf: Record<PoolUse, (site: SiteRecord) => number[]> = {
  vlans: ({ vlan }) => (vlan === undefined ? [] : [vlan]),
  prefixes({ network }) {
    const number = prefixNumberOf(network);
    return number === undefined ? [] : [number];
  },
  floating_ips: ({ floating_ips: ips }) => (ips ? [numberOf(ips.api), numberOf(ips.ingress)] : []),
};

/** Of a pool; its item also says how often it was defined anew. */
const counters = ["used", "next", "resting"];

/** Each number has one holder, who says so, and the pool's counters are their sums. */
export const numbers: Check<SiteBooks> = {
  of: ["given", "number", "numbers", "outside", "resting"],
  wrong({ table, sited }) {
    const wrong: string[] = [];
    const sums = new Sums();
    const held: Claim[] = [];
    for (const { id, spec } of table.objects("site")) {
      for (const use of poolUses) {
        const pool = poolName(id, use);
        const byNetbox = spec.allocator?.given_out_by === "netbox";
        const itemOf = (number: number) =>
          byNetbox ? { ...allocatedNumberKey(pool, number), number } : numberKey(pool, number);
        const own = sited.flatMap(({ kind, id: holder, site }) =>
          (site?.id === id ? numbersOf[use](site) : []).map((number) => ({
            ...{ number, holder, item: { ...itemOf(number), owner: holder, kind } },
          })),
        );
        const outside = byNetbox
          ? table
              .items("given")
              .filter(({ pk, kind }) => pk === allocatedNumberPartition(pool) && !kind)
          : table.items("outside").filter(({ pk }) => pk === foreignNumberPartition(pool));
        const foreign = outside.map(({ number, cluster, owner = cluster }) => ({
          ...{ number: Number(number), holder: String(owner) },
          item: { ...itemOf(Number(number)), owner: String(owner) },
        }));
        const all = [...own, ...foreign];
        if (new Set(all.map(({ number }) => number)).size !== all.length)
          wrong.push(`a number of ${pool} is held twice`);
        for (const { holder, item } of all) held.push({ holder, item });
        // NetBox counts what it gives out.
        if (byNetbox) continue;
        const resting = table.items("resting").filter(({ pk }) => pk === restingPartition(pool));
        sums.add(numbersKey(pool), "used", all.length);
        sums.add(numbersKey(pool), "resting", resting.length);
        sums.add(numbersKey(pool), "next", all.length + resting.length);
      }
    }
    for (const { pool, own } of [
      ...subnets(table, sited),
      ...outsidePools(table),
      ...classPools(table),
      ...leaves(table),
    ]) {
      if (new Set(own.map(({ number }) => number)).size !== own.length)
        wrong.push(`a number of ${pool} is held twice`);
      const resting = table.items("resting").filter(({ pk }) => pk === restingPartition(pool));
      if (own.length + resting.length === 0) continue;
      for (const { number, holder, kind } of own)
        held.push({ holder, item: { ...numberKey(pool, number), owner: holder, kind } });
      sums.add(numbersKey(pool), "used", own.length);
      sums.add(numbersKey(pool), "resting", resting.length);
      sums.add(numbersKey(pool), "next", own.length + resting.length);
    }
    return [
      ...wrong,
      ...wrongInClaims(table, ["given", "number"], held),
      ...sums.wrongIn(table, ["numbers"], (name) => counters.includes(name)),
    ];
  },
};

/** A pool of one object, and who holds which of its numbers. */
interface Held {
  pool: string;
  own: { number: number; holder: string; kind: Kind }[];
}

/** Members of a subnet have its addresses. */
const subnets = (table: Table, sited: SiteBooks["sited"]): Held[] =>
  table.objects("subnet").map(({ id }) => ({
    pool: subnetPoolName(id),
    own: sited.flatMap(({ kind, id: holder, site, stands_in: standing, addresses = {} }) =>
      [
        ...(standing?.subnet === id ? Object.values(addressesIn(site?.network)) : []),
        ...Object.values(addresses[id] ?? {}),
      ].map((address) => ({ number: numberOf(address), holder, kind })),
    ),
  }));

/** DPUs have the loopbacks and ASNs of sites. */
const leaves = (table: Table): Held[] =>
  table.objects("site").flatMap(({ id: site }) =>
    leafNumbers.map((use) => ({
      pool: poolOfNumber(site, use).name,
      own: table.objects("dpu").flatMap(({ kind, id: holder, numbers }) => {
        const number = numbers?.site === site ? numbers[use] : undefined;
        return number === undefined ? [] : [{ number, holder, kind }];
      }),
    })),
  );

/** External IPs have the addresses of pools. */
const outsidePools = (table: Table): Held[] =>
  table.objects("external_ip_pool").map((pool) => ({
    pool: numbersOfPool(pool).name,
    own: table
      .objects("external_ip")
      .filter(({ spec }) => spec.pool.id === pool.id)
      .map(({ kind, id: holder, address }) => ({
        ...{ number: numberWith(pool.spec.cidrs, address) ?? -1, holder, kind },
      })),
  }));

/** Networks have numbers of their class. */
const classPools = (table: Table): Held[] =>
  table.objects("network_class").flatMap((networkClass) =>
    classPoolsOf(networkClass).map(({ pool }) => ({
      pool: pool.name,
      own: table.objects("virtual_network").flatMap(({ kind, id: holder, held }) => {
        const number = held?.[pool.name];
        return number === undefined ? [] : [{ number, holder, kind }];
      }),
    })),
  );

/** NetBox shows, of a site whose numbers are in it, just those that records have, each for its holder. */
export const inNetbox: Check<SiteBooks> = {
  of: ["pool-seen", "pool-use", "unwritten"],
  wrong({ table, sited, world }) {
    const sites = table.objects("site");
    const written = new Set(sites.flatMap(({ id, spec }) => (spec.allocator ? id : [])));
    const recorded = sited.flatMap(({ kind, id, site }) => {
      if (!site || !written.has(site.id)) return [];
      const { vlan, network, floating_ips: ips } = site;
      return [
        ...(vlan === undefined ? [] : [`netbox_vlan ${vlan} of ${kind}/${id}`]),
        ...(network && "number" in network
          ? [`netbox_prefix ${network.prefix} of ${kind}/${id}`]
          : []),
        ...(ips ? [ips.api, ips.ingress].map((ip) => `netbox_address ${ip} of ${kind}/${id}`) : []),
      ];
    });
    const shown = world.ledger().flatMap(({ system, kind, id, owner }) => {
      if (system !== "netbox" || owner === null) return [];
      return [`${kind} ${textOf[kind]?.(id) ?? id} of ${owner.kind}/${owner.id}`];
    });
    const pools = new Set(sites.flatMap(({ id }) => poolUses.map((use) => poolName(id, use))));
    return [
      ...recorded.filter((each) => !shown.includes(each)).map((each) => `NetBox lacks ${each}`),
      ...shown.filter((each) => !recorded.includes(each)).map((each) => `no record has ${each}`),
      ...table.items("unwritten").map((item) => `NetBox was not told of ${item.pk} ${item.sk}`),
      ...["pool-seen", "pool-use"]
        .flatMap((word) => table.items(word))
        .filter((item) => !pools.has(placeOf(item)))
        .map(({ pk }) => `${pk} is of no pool`),
    ];
  },
};

/** The number in the id that the world's ledger has for it. */
const textOf: Record<string, (id: string) => string | undefined> = {
  netbox_vlan: (id) => id.split("/")[1],
  netbox_address: (id) => id.split("/")[0],
};
