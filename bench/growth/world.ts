import type { DatabaseSync } from "node:sqlite";
import { timestamp } from "../../core/clock.ts";
import { asClusterId, asHostId, asHubId } from "../../core/id.ts";
import {
  alertedKey,
  freeHostsKey,
  heartbeatKey,
  hostsKey,
  slotsKey,
} from "../../core/kernel/object/hub-keys.ts";
import { macKey } from "../../core/kernel/object/keys.ts";
import { mustLoad, putNew, type Records } from "../../core/kernel/object/records.ts";
import type { Write } from "../../core/kernel/store/store.ts";
import { capacitiesOf, capacityWrites } from "../../core/placement/capacity/hub-capacity.ts";
import { entriesOf, towards } from "../../core/placement/hubs/room.ts";
import { admitHost, claimHost, withdrawHost } from "../../core/placement/pool/entries.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import type { Host } from "../../core/resources/host/model.ts";
import type { Hub } from "../../core/resources/hub/model.ts";
import { putAll, type Row, rowOf } from "../api/bulk.ts";
import { Copies, Sums } from "../api/copies.ts";
import { dpuRows } from "./dpus.ts";
import { few, type Size, serverRows } from "./servers.ts";

/** The models of copies, each created by the system itself. */
interface Models {
  hub: Hub;
  host: Host;
  cluster: Cluster;
}

/** The host types, each with its share of a hub's hosts. */
const types = ["fc430", "h100"];
/** Ten regions; the measured orders are in the first. */
const regions = ["eu-west", ...Array.from({ length: 9 }, (_, n) => `region-${n + 1}`)];
/** The number of the tenant's clusters with a common label. */
const alike = 10;

const numbered = (model: string, n: number | string): string =>
  `${model.slice(0, -12)}${String(n).padStart(12, "0")}`;

const hubId = (n: number): string => `hub-${String(n).padStart(6, "0")}`;

/**
 * Writes a world's records directly into the table, as if everything had been ordered and registered, except sharded
 * counters: a copy counts in its model's shard. Hubs in the orders' region have no free hosts; the others have room.
 */
export async function fill(
  { store, kinds }: Records,
  database: DatabaseSync,
  models: Models,
  size: Size,
): Promise<void> {
  const sums = new Sums();
  const rows = function* (): Generator<Row> {
    const hosts = types.map((type) => hostCopies(kinds, models, type));
    const held = hostCopies(kinds, models, types[0] ?? "", heldAndAlerted);
    for (let n = 0; n < size.hubs; n++) {
      for (const write of hubWrites(kinds, models, n, size)) {
        if ("put" in write) yield rowOf(write.put);
        if ("update" in write) sums.add(write.update, write.add ?? {});
      }
      yield* hostRows(models, { hosts, held }, n, size, sums);
    }
    yield* clusterRows(kinds, models, size, sums);
    const { tenant, creation_timestamp } = models.cluster.metadata;
    const now = Date.parse(creation_timestamp);
    yield* serverRows(kinds, tenant, now, size, sums);
    yield* dpuRows(kinds, now, size, sums);
  };
  putAll(database, rows());
  const { updates } = sums;
  for (let at = 0; at < updates.length; at += 100)
    await store.transact(updates.slice(at, at + 100));
}

const hostBlanks = ["<---number-->", "<host>", "<hub>", "<mac>"];

/** The owner and the alert of a few hosts. */
const fewOwn = { kind: "cluster", id: few, tenant: few } as const;
const heldAndAlerted: Pick<Host["status"], "owner" | "health"> = {
  owner: { ...fewOwn, node_set: "workers" },
  health: {
    ...{ state: "HEALTH_STATE_ALERT", since: timestamp(0) },
    ...{ prevents_allocation: false, suppresses_alarms: false, alerts: [] },
  },
};

/** Copies of a host with another type. */
function hostCopies(
  kinds: Records["kinds"],
  { host }: Models,
  type: string,
  status?: Partial<Host["status"]>,
): Copies {
  const [number = "", name = "", hub = "", mac = ""] = hostBlanks;
  const copy: Host = {
    ...host,
    id: asHostId(numbered(host.id, number)),
    metadata: { ...host.metadata, name },
    spec: { ...host.spec, hub: asHubId(hub), host_type: type },
    status: { ...host.status, ...status },
  };
  const claim = { put: { ...macKey(mac), host: copy.id } };
  return new Copies([...putNew(kinds, copy), claim], hostBlanks);
}

const isFull = ({ hub }: Models, n: number): boolean =>
  regions[n % regions.length] === hub.spec.region;

/** The hosts of a hub with their pool entries; on a few hubs the first host is held. */
function* hostRows(
  models: Models,
  copies: { hosts: Copies[]; held: Copies },
  n: number,
  size: Size,
  sums: Sums,
): Generator<Row> {
  const perHub = Math.floor(size.hosts / size.hubs);
  const hub = hubId(n);
  for (let at = 0; at < perHub; at++) {
    const number = n * perHub + at;
    const digits = String(number).padStart(12, "0");
    const mac = (number.toString(16).padStart(12, "0").match(/../g) ?? []).join(":");
    const isHeld = n < alike && at === 0;
    const of = isHeld ? copies.held : copies.hosts[at % types.length];
    yield* of?.rows([digits, `${hub}-${at}`, hub, mac], sums) ?? [];
    const place = { hub, hostType: types[at % types.length] ?? "" };
    const id = asHostId(numbered(models.host.id, number));
    const writes = isHeld
      ? [claimHost(place, id, fewOwn), { put: { ...alertedKey(id), id } }]
      : isFull(models, n)
        ? withdrawHost(place, id, undefined)
        : [admitHost(place, id)];
    for (const write of writes) if ("put" in write) yield rowOf(write.put);
  }
}

/** A hub with its counters, and its entries in lists and sums. */
function* hubWrites(
  kinds: Records["kinds"],
  models: Models,
  n: number,
  size: Size,
): Generator<Write> {
  const id = hubId(n);
  const { hub: model } = models;
  const hub: Hub = {
    ...model,
    id: asHubId(id),
    metadata: { ...model.metadata, name: id },
    spec: { ...model.spec, region: regions[n % regions.length] ?? "", capacity: 200 },
  };
  const perHub = Math.floor(size.hosts / size.hubs);
  const used = Math.floor(size.clusters / size.hubs);
  const total = Object.fromEntries(
    types.map((type, of) => [`type:${type}`, Math.ceil((perHub - of) / types.length)]),
  );
  const counters = {
    slots: { ...slotsKey(id), used },
    hosts: { ...hostsKey(id), ...total },
    free: { ...freeHostsKey(id), ...(isFull(models, n) ? {} : total) },
  };
  yield* putNew(kinds, hub);
  for (const put of Object.values(counters)) yield { put };
  yield { put: { ...heartbeatKey(id), at: model.event.time } };
  yield* towards([], entriesOf(hub, counters)).writes;
  yield* capacityWrites(id, [], capacitiesOf(hub, counters));
}

const clusterBlanks = ["<---number-->", "<name>", "<tenant>", "<created>", "<hub>", "<half>"];

/** The tenants' clusters on the hubs; the first few of the orders' tenant have a common label. */
function* clusterRows(
  kinds: Records["kinds"],
  { cluster }: Models,
  { hubs, clusters, tenants }: Size,
  sums: Sums,
): Generator<Row> {
  const [alikeCopies, copies] = [true, false].map((isAlike) =>
    clusterCopies(kinds, cluster, isAlike),
  );
  const { tenant, creation_timestamp } = cluster.metadata;
  const last = Date.parse(creation_timestamp);
  for (let n = 0; n < clusters; n++) {
    const isAlike = n % tenants === 0 && n / tenants < alike;
    const texts = [
      String(n).padStart(12, "0"),
      `c-${n}`,
      n % tenants === 0 ? tenant : `tenant-${n % tenants}`,
      timestamp(last - 1000 * (clusters - n)),
      hubId(n % hubs),
      String(n % 2),
    ];
    yield* (isAlike ? alikeCopies : copies)?.rows(texts, sums) ?? [];
  }
}

function clusterCopies(kinds: Records["kinds"], cluster: Cluster, isAlike: boolean): Copies {
  const [number = "", name = "", tenant = "", created = "", hub = "", half = ""] = clusterBlanks;
  const copy: Cluster = {
    ...cluster,
    id: asClusterId(numbered(cluster.id, number)),
    metadata: {
      ...cluster.metadata,
      ...{ name, tenant, labels: { half, ...(isAlike && { few: "yes" }) } },
      creation_timestamp: created,
    },
    ...(cluster.placement && {
      placement: { ...cluster.placement, hub: asHubId(hub), hosts: {} },
    }),
  };
  return new Copies(putNew(kinds, copy), clusterBlanks);
}

/** The models: a hub, a host, and this cluster. */
export async function modelsOf(records: Records, cluster: string): Promise<Models> {
  const made = await mustLoad(records, "cluster", cluster);
  const [host = ""] = Object.values(made.placement?.hosts ?? {}).flat();
  return {
    hub: await mustLoad(records, "hub", made.placement?.hub ?? ""),
    host: await mustLoad(records, "host", host),
    cluster: made,
  };
}
