import { isDeepStrictEqual } from "node:util";
import {
  accountKey,
  freeHostsKey,
  hostsKey,
  kindPartition,
  numberKey,
  numbersKey,
  poolPartition,
  poolShards,
  restingPartition,
  slotsKey,
  ticketPartition,
  useKeys,
} from "../../core/kernel/object/keys.ts";
import { lineage } from "../../core/kernel/object/project.ts";
import { objectIn } from "../../core/kernel/object/records.ts";
import type { Key, Store } from "../../core/kernel/store/store.ts";
import { hostCounts } from "../../core/placement/inventory.ts";
import { numbersQueue } from "../../core/placement/tickets.ts";
import { settled } from "../../core/resources/cluster/charge.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import type { Host } from "../../core/resources/host/model.ts";
import { usedIn } from "../../core/resources/quota/account.ts";
import type { Amounts } from "../../core/resources/quota/model.ts";
import type { SiteRecord } from "../../core/resources/site/at-site.ts";
import { numberOf, type PoolUse, poolName, poolUses } from "../../core/resources/site/model.ts";
import { everyPage } from "./pages.ts";
import type { Site } from "./site.ts";

/**
 * The ledger check: every outside thing belongs to exactly one live order or to nobody, pools sum
 * up, slots equal the live orders. Answers what is wrong; an empty list is a clean slate.
 */
export async function wrongInBooks(site: Site): Promise<string[]> {
  const { store } = site.laptop;
  const clusters = (await everyPage(store, { index: "g4", pk: kindPartition("cluster") })).map(
    (item) => objectIn<"cluster">(kinds, item),
  );
  const hosts = (await everyPage(store, { index: "g4", pk: kindPartition("host") })).map((item) =>
    objectIn<"host">(kinds, item),
  );
  const hubs = (await everyPage(store, { index: "g4", pk: kindPartition("hub") })).map(({ id }) =>
    String(id),
  );
  const wrong: string[] = [];

  const live = new Set<string>(clusters.filter((cluster) => cluster.placement).map(({ id }) => id));
  for (const { kind, id, owner } of site.world.ledger()) {
    if (owner !== null && !live.has(owner.id))
      wrong.push(`${kind} ${id} belongs to ${owner.id}, which holds nothing`);
  }

  const holders = new Map<string, string[]>();
  for (const cluster of clusters) {
    for (const host of Object.values(cluster.placement?.hosts ?? {}).flat()) {
      holders.set(host, [...(holders.get(host) ?? []), cluster.id]);
    }
  }
  const types = new Set(hosts.map(({ spec }) => spec.host_type));
  const entries = await poolEntries(store, hubs, types);
  for (const hub of hubs) {
    const counts = hostCounts(await store.get(hostsKey(hub)));
    for (const type of types) {
      const there = hosts.filter(({ spec }) => spec.hub === hub && spec.host_type === type).length;
      const free = hostCounts(await store.get(freeHostsKey(hub)))[type] ?? 0;
      const isFree = ({ id, spec }: Host) =>
        spec.hub === hub && spec.host_type === type && entries.get(id)?.state === "free";
      if (free !== hosts.filter(isFree).length)
        wrong.push(`hub ${hub} counts ${free} free hosts of type ${type}`);
      const held = hostCounts(await store.get(freeHostsKey(hub)), "held")[type] ?? 0;
      const isHeld = ({ id, spec }: Host) =>
        spec.hub === hub && spec.host_type === type && entries.get(id)?.state === "held";
      if (held !== hosts.filter(isHeld).length)
        wrong.push(`hub ${hub} counts ${held} held hosts of type ${type}`);
      if ((counts[type] ?? 0) !== there)
        wrong.push(`hub ${hub} counts ${counts[type] ?? 0} hosts of type ${type} and has ${there}`);
    }
  }
  for (const host of hosts) {
    const entry = entries.get(host.id);
    const held = holders.get(host.id) ?? [];
    if (!entry) wrong.push(`host ${host.metadata.name} is in no pool`);
    if (held.length > 1) wrong.push(`host ${host.metadata.name} is held by ${held.join(" and ")}`);
    if ((entry?.state === "held" ? entry.owner : undefined) !== held[0]) {
      wrong.push(
        `host ${host.metadata.name} is ${entry?.state} (${entry?.owner}), but ${held[0] ?? "nobody"} lists it`,
      );
    }
    if (entry?.state === "out" && host.status.agent?.state === "known-unbound") {
      wrong.push(`host ${host.metadata.name} could be taken and is out of the pool`);
    }
  }

  for (const hub of hubs) {
    const used = Number((await store.get(slotsKey(hub)))?.used ?? 0);
    const placed = clusters.filter(({ placement }) => placement?.hub === hub).length;
    if (used !== placed)
      wrong.push(`hub ${hub} counts ${used} control planes and carries ${placed}`);
  }
  for (const kind of ["cluster_template", "cluster_version"] as const) {
    for (const { id } of await everyPage(store, { index: "g4", pk: kindPartition(kind) })) {
      const shards = await store.getMany(useKeys(kind, String(id)));
      const counted = shards.reduce((sum, shard) => sum + Number(shard?.clusters ?? 0), 0);
      const member = kind === "cluster_template" ? "template" : "version";
      const using = clusters.filter(
        ({ spec, upgrade }) => spec[member].id === id || upgrade?.from.version.id === id,
      ).length;
      if (counted !== using)
        wrong.push(`${kind} ${id} counts ${counted} clusters and ${using} use it`);
    }
  }
  for (const type of types) {
    const shards = await store.getMany(useKeys("host_type", type));
    const counted = shards.reduce((sum, shard) => sum + Number(shard?.clusters ?? 0), 0);
    const using = clusters.filter(({ spec, applied, applying }) =>
      [spec.node_sets, applied, applying].some((sets) =>
        Object.values(sets ?? {}).some(({ host_type }) => host_type.id === type),
      ),
    ).length;
    if (counted !== using)
      wrong.push(`host type ${type} counts ${counted} clusters and ${using} use it`);
  }
  for (const queueName of ["slot", ...[...types].map((type) => `host:${type}`)]) {
    const tickets = await everyPage(store, { pk: ticketPartition(queueName) });
    for (const ticket of tickets) wrong.push(`a ticket for ${queueName} is left: ${ticket.sk}`);
  }
  wrong.push(...(await wrongInNumbers(store, clusters)), ...wrongOutside(site, clusters));
  wrong.push(...(await wrongInQuotas(store, clusters)));
  return wrong;
}

/** Every account is the sum of what its clusters count for, which at rest is what they have and ask for. */
export async function wrongInQuotas(store: Store, clusters: Cluster[]): Promise<string[]> {
  const wrong = clusters.flatMap((cluster) => {
    const { charge } = cluster;
    if (cluster.operation || isDeepStrictEqual(charge, settled(cluster).charge)) return [];
    return [`${cluster.id} is at rest and counts for ${JSON.stringify(charge)}`];
  });
  const accounts = new Map<string, { key: Key; sum: Amounts }>();
  for (const { metadata, charge = {} } of clusters) {
    const { tenant, project } = metadata;
    for (const path of [undefined, ...(project === undefined ? [] : lineage(project))]) {
      const key = accountKey(tenant, path);
      const sum: Amounts = accounts.get(key.pk)?.sum ?? {};
      for (const [name, n] of Object.entries(charge)) sum[name] = (sum[name] ?? 0) + n;
      accounts.set(key.pk, { key, sum });
    }
  }
  for (const tenant of ["tenant-a", "tenant-b"]) {
    const key = accountKey(tenant);
    if (!accounts.has(key.pk)) accounts.set(key.pk, { key, sum: {} });
  }
  for (const { key, sum } of accounts.values()) {
    const used = usedIn(await store.get(key));
    for (const name of new Set([...Object.keys(used), ...Object.keys(sum)])) {
      if ((used[name] ?? 0) !== (sum[name] ?? 0))
        wrong.push(
          `${key.pk} counts ${used[name] ?? 0} ${name}, and its clusters ${sum[name] ?? 0}`,
        );
    }
  }
  return wrong;
}

/** How each pool's numbers are held. */
const numbersOf: Record<PoolUse, (site: SiteRecord) => number[]> = {
  vlans: ({ vlan }) => (vlan === undefined ? [] : [vlan]),
  prefixes: ({ network }) => (network ? [network.number] : []),
  floating_ips: ({ floating_ips: ips }) => (ips ? [numberOf(ips.api), numberOf(ips.ingress)] : []),
};

/** Each number has one holder, who says so; the pool's counter is their sum. */
async function wrongInNumbers(store: Store, clusters: Cluster[]): Promise<string[]> {
  const wrong: string[] = [];
  const sites = await everyPage(store, { index: "g4", pk: kindPartition("site") });
  for (const { id } of sites.map((item) => objectIn<"site">(kinds, item))) {
    const here = clusters.filter(({ site }) => site?.id === id);
    for (const use of poolUses) {
      const pool = poolName(id, use);
      const held = here.flatMap((cluster) =>
        (cluster.site ? numbersOf[use](cluster.site) : []).map((number) => ({ number, cluster })),
      );
      if (new Set(held.map(({ number }) => number)).size !== held.length)
        wrong.push(`a number of ${pool} is held twice`);
      for (const { number, cluster } of held) {
        const owner = (await store.get(numberKey(pool, number)))?.owner;
        if (owner !== cluster.id)
          wrong.push(`${number} of ${pool} is ${String(owner)}'s, but ${cluster.id} has it`);
      }
      const state = await store.get(numbersKey(pool));
      if (Number(state?.used ?? 0) !== held.length)
        wrong.push(`${pool} counts ${String(state?.used)} in use, and ${held.length} are held`);
      const resting = await everyPage(store, { pk: restingPartition(pool) });
      if (Number(state?.resting ?? 0) !== resting.length)
        wrong.push(`${pool} counts ${String(state?.resting)} at rest, and ${resting.length} are`);
      for (const ticket of await everyPage(store, { pk: ticketPartition(numbersQueue(pool)) }))
        wrong.push(`a ticket for ${pool} is left: ${ticket.sk}`);
    }
  }
  return wrong;
}

/** No VLAN, prefix, address or name is there twice, whoever it belongs to. */
function wrongOutside({ world }: Site, clusters: Cluster[]): string[] {
  const single = ["vlan", "prefix", "address", "dns_record", "rbd_namespace", "ceph_user"];
  const items = world.ledger().filter(({ kind }) => single.includes(kind));
  const names = items.map(({ kind, id }) => `${kind} ${id}`);
  const twice = names.filter((name, n) => names.indexOf(name) < n);
  const sited = new Set<string>(clusters.flatMap(({ id, site }) => (site ? [id] : [])));
  const lost = items.filter(({ owner }) => owner !== null && !sited.has(owner.id));
  return [
    ...twice.map((name) => `${name} is there twice`),
    ...lost.map(({ kind, id }) => `${kind} ${id} belongs to a cluster that is at no site`),
  ];
}

async function poolEntries(store: Store, hubs: string[], types: ReadonlySet<string>) {
  const entries = new Map<string, { state: string; owner?: string }>();
  for (const hub of hubs) {
    for (const type of types) {
      for (let shard = 0; shard < poolShards; shard++) {
        for (const item of await everyPage(store, { pk: poolPartition(hub, type, shard) })) {
          const owner = item.owner === undefined ? {} : { owner: String(item.owner) };
          entries.set(item.sk, { state: String(item.state), ...owner });
        }
      }
    }
  }
  return entries;
}
