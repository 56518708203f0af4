import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../core/kernel/store/sqlite/tables.ts";
import { addServerWithDpus } from "../../test/support/dpus.ts";
import type { Answer, Site } from "../../test/support/site.ts";
import { beyond, detailsBeyond } from "../cost/meter.ts";
import { type Counted, MeteredSite } from "../cost/metered-site.ts";
import { median } from "../median.ts";
import { keepOne, layOut, orderOne } from "./hot-pool.ts";
import type { Size } from "./servers.ts";
import { few } from "./servers.ts";
import { fill, modelsOf } from "./world.ts";

/** The costs of an order or a request in one world. */
export interface Measured {
  "store calls": number;
  "items read": number;
  "read units": number;
  "write units": number;
  "calls outside": number;
  "CPU ms": number;
}

/**
 * The repetitions of each request. Counts are averaged, but CPU is the median: in a world that was just written, some
 * of the first requests pay for garbage collection and cold caches.
 */
const times = 20;

/** Measures requests, an order and its deletion in a world of this size. */
export async function measure(size: Size): Promise<Record<string, Measured>> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-growth-"));
  const path = join(folder, "slipway.db");
  const database = openDatabase(path);
  const site = await MeteredSite.open({ database, sweeps: false });
  try {
    const first = await life(site, "first");
    const { deps } = site.site.laptop;
    await fill(deps, database, await modelsOf(deps, first.id), size);
    // The store caches which index partitions are empty until another connection writes.
    const other = openDatabase(path);
    other.exec("INSERT OR REPLACE INTO setting VALUES ('filled', '')");
    other.close();
    const measured: Record<string, Measured> = {};
    for (const [name, ask] of Object.entries(requests(first.id)))
      measured[name] = await meanOf(site, ask);
    const { create, remove } = await life(site, "second");
    const withDpus = await changed(site, "host-provision", async (one) => {
      const { host } = await addServerWithDpus(one, 100);
      return host;
    });
    // Last, since the order of the pool's host continues after its claim.
    const pool = await poolOf(site);
    return {
      "create a cluster": create,
      ...(remove && { "delete it": remove }),
      "provision a server with two DPUs": withDpus,
      ...pool,
      ...measured,
    };
  } finally {
    await site.close();
    database.close();
    await rm(folder, { recursive: true });
  }
}

/** The discovery of a server that the hot pool chooses, and the claim of it, up to the pool's own check. */
async function poolOf(site: MeteredSite): Promise<Record<string, Measured>> {
  const ids = await layOut(site.site);
  const discovery = await changed(site, "host-discover", (one) => keepOne(one, ids));
  const claim = await withCpu(() => site.upTo("ReserveCapacity", orderOne));
  return { "discover a server": discovery, "claim a host of the pool": claim };
}

/** An order of two nodes, and the deletion of the second cluster. */
async function life(site: MeteredSite, name: "first" | "second") {
  let id = "";
  const create = await changed(site, "cluster-create", async ({ order }) => {
    id = await order(name, { placement: { region: "eu-west" } });
    return id;
  });
  if (name === "first") return { id, create };
  const remove = await changed(site, "cluster-delete", async ({ api }) => {
    await api("DELETE", `clusters/${id}`);
    return id;
  });
  return { id, create, remove };
}

/** The cost of a change without the baseline, which is counted at the same site for the same time afterwards. */
const changed = (site: MeteredSite, saga: string, ask: (site: Site) => Promise<string>) =>
  withCpu(
    () => site.change(saga, ask),
    async ({ counts, details, passed }) => {
      const anyway = await site.rest(passed);
      return {
        counts: beyond(counts, anyway.counts),
        details: detailsBeyond(details, anyway.details),
      };
    },
  );

async function meanOf(site: MeteredSite, ask: (site: Site) => Promise<Answer>): Promise<Measured> {
  await site.request(ask);
  const each: Measured[] = [];
  for (let n = 0; n < times; n++) each.push(await withCpu(() => site.request(ask)));
  const [first] = each;
  if (!first) throw new Error("nothing was measured");
  const typical = (name: keyof Measured) => {
    const values = each.map((measured) => measured[name]);
    return name === "CPU ms" ? median(values) : values.reduce((sum, value) => sum + value) / times;
  };
  return mapped(first, (name) => Number(typical(name).toFixed(2)));
}

const mapped = (measured: Measured, to: (name: keyof Measured) => number): Measured =>
  // The names are those of Measured.
  Object.fromEntries(
    Object.keys(measured).map((name) => [name, to(name as keyof Measured)]),
  ) as unknown as Measured;

type Taken = Pick<Counted, "counts" | "details">;

/** The cost of work, with its CPU; `after` corrects the counts outside of the measured time. */
async function withCpu<T extends Taken>(
  work: () => Promise<T>,
  after: (taken: T) => Promise<Taken> = async (taken) => taken,
): Promise<Measured> {
  const before = process.cpuUsage();
  const taken = await work();
  const { user, system } = process.cpuUsage(before);
  const { counts, details } = await after(taken);
  return {
    "store calls": counts.storeCalls,
    "items read": (details.itemsRead ?? 0) + (details.keysCounted ?? 0),
    "read units": counts.readUnits,
    "write units": counts.tableWriteUnits + counts.indexWriteUnits,
    "calls outside": counts.outsideCalls,
    "CPU ms": Math.round((user + system) / 10) / 100,
  };
}

/** Requests of a tenant's administrator and of the provider, by name. */
function requests(id: string): Record<string, (site: Site) => Promise<Answer>> {
  const get =
    (path: string) =>
    ({ api }: Site) =>
      api("GET", path);
  const provider =
    (path: string) =>
    ({ admin }: Site) =>
      admin("GET", path);
  const filtered = (filter: string) => get(`clusters?filter=${encodeURIComponent(filter)}`);
  const servers = (filter: string) =>
    get(`baremetal_instances?filter=${encodeURIComponent(filter)}`);
  const hosts = (filter: string) => provider(`hosts?filter=${encodeURIComponent(filter)}`);
  const dpus = (filter: string) => provider(`dpus?filter=${encodeURIComponent(filter)}`);
  const tried = { metadata: { name: "tried" }, spec: { template: { id: "ocp_4_17_small" } } };
  return {
    "get a cluster": get(`clusters/${id}`),
    "list clusters": get("clusters?limit=10"),
    "clusters of a name": filtered("this.metadata.name == 'first'"),
    "clusters of a label": filtered("this.metadata.labels['few'] == 'yes'"),
    "try an order": ({ api }) => api("POST", "clusters?dry_run=true", tried),
    "get a host type": get("host_types/fc430"),
    "list host types": get("host_types"),
    "all clusters, provider": provider("clusters?limit=10"),
    "list hosts, provider": provider("hosts?limit=10"),
    "list hubs, provider": provider("hubs?limit=10"),
    "capacity, provider": provider("capacity"),
    "hosts of a state, provider": hosts("this.status.state == 'HOST_STATE_AVAILABLE'"),
    "hosts of a type and a state, provider": hosts(
      "this.spec.host_type == 'h100' && this.status.state == 'HOST_STATE_AVAILABLE'",
    ),
    "hosts of an owner, provider": hosts(`this.status.owner.id == '${few}'`),
    "hosts of a tenant, provider": hosts(`this.status.owner.tenant == '${few}'`),
    "hosts with an alert, provider": hosts("this.status.health.state == 'HEALTH_STATE_ALERT'"),
    "DPUs of a host, provider": dpus(`this.spec.host.id == '${few}'`),
    "a DPU of a serial number, provider": dpus("this.spec.serial == '000000000042'"),
    "hosts whose name begins so, provider": hosts("this.metadata.name.startsWith('hub-000001-1')"),
    "servers of an image": servers(`this.spec.image.source_ref == '${few}'`),
    "servers in a subnet": servers(`'${few}' in this.status.subnets`),
    "servers of a state": servers("this.status.state == 'BARE_METAL_INSTANCE_STATE_FAILED'"),
    "owner of an address": provider("owners?kind=ip&value=203.0.113.100"),
    "status, provider": provider("status"),
  };
}
