import type { DatabaseSync } from "node:sqlite";
import { timestamp } from "../../core/clock.ts";
import { asClusterId, asHostId, asHubId } from "../../core/id.ts";
import {
  freeHostsKey,
  heartbeatKey,
  hostsKey,
  macKey,
  slotsKey,
} from "../../core/kernel/object/keys.ts";
import { mustLoad, putNew, type Records } from "../../core/kernel/object/records.ts";
import type { Item, Key, Update, Write } from "../../core/kernel/store/store.ts";
import { admitHost, withdrawHost } from "../../core/placement/pool.ts";
import { entriesOf, towards } from "../../core/placement/room.ts";
import { sharesOf, shareWrites } from "../../core/placement/share.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import type { Host } from "../../core/resources/host/model.ts";
import type { Hub } from "../../core/resources/hub/model.ts";
import { putAll } from "../api/bulk.ts";

/** What there is in a world. */
export interface Size {
  hubs: number;
  hosts: number;
  clusters: number;
  tenants: number;
}

/** What others are made like: one each that the system itself has made. */
interface Models {
  hub: Hub;
  host: Host;
  cluster: Cluster;
}

/** The types of hosts, each with its part of a hub's hosts. */
const types = ["fc430", "h100"];
/** One of ten regions is that of the orders that are measured. */
const regions = ["eu-west", ...Array.from({ length: 9 }, (_, n) => `region-${n + 1}`)];
/** So many clusters of the tenant have a label in common. */
const alike = 10;

const numbered = (model: string, n: number): string =>
  `${model.slice(0, -12)}${String(n).padStart(12, "0")}`;

/**
 * Writes a world's records straight into the table, as they would be there had everything been ordered
 * and registered. Hubs in the region of the orders are out of hosts; the others have room.
 */
export async function fill(
  { store, kinds }: Records,
  database: DatabaseSync,
  models: Models,
  size: Size,
): Promise<void> {
  const sums = new Map<string, Required<Pick<Update, "update" | "add">>>();
  const writes = function* (): Generator<Write> {
    for (let n = 0; n < size.hubs; n++) yield* hubWrites({ kinds }, models, n, size);
    for (let n = 0; n < size.clusters; n++) yield* putNew(kinds, clusterOf(models, n, size));
  };
  putAll(database, puts(writes(), sums));
  const updates = [...sums.values()];
  for (let at = 0; at < updates.length; at += 100)
    await store.transact(updates.slice(at, at + 100));
}

/** The items that are put; what is added to counters is summed up. */
function* puts(
  writes: Iterable<Write>,
  sums: Map<string, { update: Key; add: Record<string, number> }>,
): Generator<Item> {
  for (const write of writes) {
    if ("put" in write) yield write.put;
    if (!("update" in write)) continue;
    const { pk, sk } = write.update;
    const sum = sums.get(`${pk} ${sk}`) ?? { update: { pk, sk }, add: {} };
    for (const [name, n] of Object.entries(write.add ?? {}))
      sum.add[name] = (sum.add[name] ?? 0) + n;
    sums.set(`${pk} ${sk}`, sum);
  }
}

/** A hub with its hosts, its counters, and its place in lists and sums. */
function* hubWrites(
  { kinds }: Pick<Records, "kinds">,
  { hub: model, host }: Models,
  n: number,
  size: Size,
): Generator<Write> {
  const id = `hub-${String(n).padStart(6, "0")}`;
  const region = regions[n % regions.length] ?? "";
  const isFull = region === model.spec.region;
  const hub: Hub = {
    ...model,
    id: asHubId(id),
    metadata: { ...model.metadata, name: id },
    spec: { ...model.spec, region, capacity: 200 },
  };
  const used = Math.floor(size.clusters / size.hubs);
  const total: Record<string, number> = {};
  const free: Record<string, number> = {};
  const perHub = Math.floor(size.hosts / size.hubs);
  for (let at = 0; at < perHub; at++) {
    const hostType = types[at % types.length] ?? "";
    const place = { hub: id, hostType };
    const name = `${id}-${at}`;
    const hex = (n * perHub + at).toString(16).padStart(12, "0");
    const mac = (hex.match(/../g) ?? []).join(":");
    const copy: Host = {
      ...host,
      id: asHostId(numbered(host.id, n * perHub + at)),
      metadata: { ...host.metadata, name },
      spec: { ...host.spec, hub: asHubId(id), host_type: hostType },
    };
    yield* putNew(kinds, copy);
    yield { put: { ...macKey(mac), host: copy.id } };
    yield* isFull ? withdrawHost(place, copy.id, false) : [admitHost(place, copy.id)];
    total[`type:${hostType}`] = (total[`type:${hostType}`] ?? 0) + 1;
    if (!isFull) free[`type:${hostType}`] = (free[`type:${hostType}`] ?? 0) + 1;
  }
  const counters = {
    slots: { ...slotsKey(id), used },
    hosts: { ...hostsKey(id), ...total },
    free: { ...freeHostsKey(id), ...free },
  };
  yield* putNew(kinds, hub);
  for (const put of Object.values(counters)) yield { put };
  yield { put: { ...heartbeatKey(id), at: model.event.time } };
  yield* towards([], entriesOf(hub, counters)).writes;
  yield* shareWrites(id, [], sharesOf(hub, counters));
}

/** A cluster of one of the tenants, on one of the hubs. */
function clusterOf({ cluster }: Models, n: number, { hubs, tenants }: Size): Cluster {
  const tenant = n % tenants === 0 ? cluster.metadata.tenant : `tenant-${n % tenants}`;
  const isAlike = n % tenants === 0 && n / tenants < alike;
  const created = Date.parse(cluster.metadata.creation_timestamp) - 1000 * (n + 1);
  return {
    ...cluster,
    id: asClusterId(numbered(cluster.id, n)),
    metadata: {
      ...cluster.metadata,
      name: `c-${n}`,
      tenant,
      labels: { half: String(n % 2), ...(isAlike && { few: "yes" }) },
      creation_timestamp: timestamp(created),
    },
    ...(cluster.placement && {
      placement: {
        ...cluster.placement,
        hub: asHubId(`hub-${String(n % hubs).padStart(6, "0")}`),
        hosts: {},
      },
    }),
  };
}

/** What the system has made: a hub, a host, and this cluster. */
export async function modelsOf(records: Records, cluster: string): Promise<Models> {
  const made = await mustLoad(records, "cluster", cluster);
  const [host = ""] = Object.values(made.placement?.hosts ?? {}).flat();
  return {
    hub: await mustLoad(records, "hub", made.placement?.hub ?? ""),
    host: await mustLoad(records, "host", host),
    cluster: made,
  };
}
