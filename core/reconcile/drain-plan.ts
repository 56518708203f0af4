import * as z from "zod";
import type { Deps } from "../kernel/deps.ts";
import { freeHostsKey, heartbeatKey, hostsKey, slotsKey } from "../kernel/object/hub-keys.ts";
import { hubPartition } from "../kernel/object/keys.ts";
import { load, objectsIn, type Records } from "../kernel/object/records.ts";
import { begun } from "../kernel/request/begun.ts";
import { type Caller, isPlausibleId, mustSee, notFound } from "../kernel/request/caller.ts";
import type { Store } from "../kernel/store/store.ts";
import { constraintsOf, type Demand, needsOf } from "../placement/choose/demand.ts";
import {
  type Candidate,
  type Constraints,
  chooseHub,
  type Needs,
} from "../placement/hubs/candidate.ts";
import { candidateIn, hubsOf } from "../placement/hubs/read.ts";
import type { Host } from "../placement/pool/host.ts";
import { hostQueue, slotQueue, waitersAt } from "../placement/queues/tickets.ts";
import { demandOf } from "../resources/baremetal-instance/demand.ts";
import { serverOn } from "../resources/baremetal-instance/host-notice.ts";
import type { BaremetalInstance } from "../resources/baremetal-instance/model.ts";
import { demandFor } from "../resources/cluster/demand.ts";
import type { Cluster } from "../resources/cluster/model.ts";
import type { Hub } from "../resources/hub/model.ts";
import { type HubUsage, usageIn } from "../resources/hub/usage.ts";

/**
 * Plans to empty a hub: its clusters and servers, the operations that wait for it, and other hubs with room, by the
 * rules of placement. Nothing moves by itself: each cluster and each server is ordered again elsewhere, then deleted
 * here.
 */

const nodeSetSchema = z.object({
  name: z.string().describe("Name of the node set."),
  host_type: z.string().describe("Name of the type of its hosts."),
  size: z.int().min(0).describe("Number of its hosts."),
});

const whatSchema = {
  id: z.string().describe("Its id."),
  name: z.string().describe("Its name."),
  tenant: z.string().describe("Its tenant."),
  state: z.string().describe("Its state."),
};

const whereSchema = {
  room_at: z
    .object({
      id: z.string().describe("Id of the hub."),
      name: z.string().describe("Name of the hub."),
    })
    .optional()
    .describe(
      "The hub with room for it and for the earlier ones in the list; absent if there is none.",
    ),
  why: z.string().optional().describe("Why no hub has room for it."),
};

const clusterSchema = z.object({
  ...whatSchema,
  node_sets: z.array(nodeSetSchema).describe("Its node sets."),
  ...whereSchema,
});

const serverSchema = z.object({
  ...whatSchema,
  host: z.string().describe("Name of its host."),
  host_type: z.string().describe("Name of the type of its host."),
  ...whereSchema,
});

export const drainPlanSchema = z.object({
  clusters: z
    .array(clusterSchema)
    .describe("The clusters on the hub, those with most nodes first."),
  servers: z
    .array(serverSchema)
    .describe(
      "Tenants' servers on hosts of the hub; they get the room that is left after these clusters.",
    ),
  without_room: z
    .int()
    .min(0)
    .describe("Number of clusters and servers for which no other hub has room."),
  queues: z
    .array(
      z.object({
        waits_for: z
          .enum(["control_planes", "hosts"])
          .describe("The resource for which they wait."),
        host_type: z.string().optional().describe("For hosts: name of their type."),
        orders: z.int().describe("Number of orders that wait; 101 stands for more than a hundred."),
      }),
    )
    .describe("Orders that wait for resources of this hub, unless it is cordoned."),
  hosts: z
    .object({
      total: z.int().min(0).describe("Number of hosts."),
      used: z.int().min(0).describe("Number of hosts in use."),
    })
    .describe("The hosts of the hub."),
});
export type DrainPlan = z.output<typeof drainPlanSchema>;
type OnCluster = DrainPlan["clusters"][number];
type OnServer = DrainPlan["servers"][number];
type Where = Pick<OnCluster, keyof typeof whereSchema>;

/** The free capacity of a hub, less the part that this plan has used. */
interface Room {
  candidate: Candidate;
  free: Map<string, number>;
}

type PlanDeps = Records & Pick<Deps, "clock">;

/**
 * Plans from the records of everything on the hub, and of the hubs of its region, which two rounds of the store read.
 * Throws NotFound.
 */
export async function drainPlanOf(deps: PlanDeps, caller: Caller, id: string): Promise<DrainPlan> {
  if (!isPlausibleId(id)) throw notFound(id);
  const search = mustSee(deps, caller, "hub", id);
  const own = begun(stocked(deps.store, id, search));
  const [hub, { usage }, standing, held, rooms, queues] = await Promise.all([
    search,
    own,
    clustersOn(deps, id),
    serversOn(deps, id),
    roomsBeside(deps, search),
    queuesAt(deps, own),
  ]);
  const now = deps.clock.now();
  /** The hub with room for the cluster or server, as if it were a new order. */
  const roomFor = (demand: Demand): Where => {
    const where = { region: hub.spec.region, ...constraintsOf(demand, undefined) };
    const asked = { where, needs: needsOf(demand, undefined), slot: demand.slot };
    return placeFor(asked, rooms, now);
  };
  const clusters = standing
    .sort((a, b) => nodesOf(b) - nodesOf(a) || byName(a, b))
    .map(
      (cluster): OnCluster => ({
        ...shown(cluster),
        node_sets: nodeSetsOf(cluster),
        ...roomFor(demandFor(cluster.spec.node_sets)(cluster)),
      }),
    );
  const servers = held
    .sort((a, b) => byName(a.server, b.server))
    .map(
      ({ server, host }): OnServer => ({
        ...shown(server),
        ...{ host: host.metadata.name, host_type: host.spec.host_type },
        ...roomFor(demandOf(server)),
      }),
    );
  const { hosts } = usage;
  return {
    clusters,
    servers,
    without_room: [...clusters, ...servers].filter(({ room_at }) => room_at === undefined).length,
    queues,
    hosts: {
      total: hosts.reduce((sum, { total }) => sum + total, 0),
      used: hosts.reduce((sum, { reserved }) => sum + reserved, 0),
    },
  };
}

/** A hub with its counters. */
interface Stocked {
  candidate: Candidate;
  usage: HubUsage;
}

/** The counters are read by the hub's id, beside the hub. The API's store combines such reads of all hubs. */
async function stocked(store: Store, id: string, search: Promise<Hub> | Hub): Promise<Stocked> {
  const keys = [slotsKey(id), hostsKey(id), freeHostsKey(id), heartbeatKey(id)];
  const [hub, [slots, hosts, free, heartbeat]] = await Promise.all([search, store.getMany(keys)]);
  return {
    candidate: candidateIn(hub, { slots, hosts }, heartbeat),
    usage: usageIn(hub, { slots, hosts, free }),
  };
}

/** The queues for the hub's resources, with the number of operations that could use the hub. */
async function queuesAt(records: Records, hub: Promise<Stocked>): Promise<DrainPlan["queues"]> {
  const candidate = begun(hub.then((own) => own.candidate));
  const ordersIn = (queueName: string) => waitersAt(records.store, queueName, candidate);
  const ofHosts = async () => {
    const { usage } = await hub;
    return Promise.all(
      usage.hosts.map(async ({ host_type }) => ({
        ...{ waits_for: "hosts" as const, host_type },
        orders: await ordersIn(hostQueue(host_type)),
      })),
    );
  };
  const [orders, hosts] = await Promise.all([ordersIn(slotQueue), ofHosts()]);
  return [{ waits_for: "control_planes" as const, orders }, ...hosts].filter(
    (line) => line.orders > 0,
  );
}

/** Tenants' servers on the hub, with their hosts. */
async function serversOn(
  records: Records,
  hub: string,
): Promise<{ server: BaremetalInstance; host: Host }[]> {
  const held: { id: string; host: Host }[] = [];
  const pk = hubPartition(hub, "host");
  for await (const page of objectsIn<"host">(records, { index: "g3", pk }))
    for (const host of page) {
      const server = serverOn(host);
      if (server) held.push({ id: server.id, host });
    }
  const found = await Promise.all(
    held.map(async ({ id, host }) => {
      const server = await load(records, "baremetal_instance", id);
      return server ? [{ server, host }] : [];
    }),
  );
  return found.flat();
}

async function clustersOn(records: Records, hub: string): Promise<Cluster[]> {
  const found: Cluster[] = [];
  const pk = hubPartition(hub, "cluster");
  for await (const page of objectsIn<"cluster">(records, { index: "g3", pk })) found.push(...page);
  return found;
}

/** The other hubs of a hub's region. */
async function roomsBeside(records: Records, search: Promise<Hub>): Promise<Room[]> {
  const [hub, hubs] = await Promise.all([search, hubsOf(records)]);
  const others = hubs.filter(({ id, spec }) => id !== hub.id && spec.region === hub.spec.region);
  return Promise.all(
    others.map(async (other) => {
      const { candidate, usage } = await stocked(records.store, other.id, other);
      const free = new Map(usage.hosts.map((each) => [each.host_type, each.free]));
      return { candidate, free };
    }),
  );
}

/** The best hub with room for a demand, whose room is then reduced by the demand; or the reason why there is none. */
function placeFor(
  { where, needs, slot }: { where: Constraints; needs: Needs; slot: boolean },
  rooms: Room[],
  now: number,
): Where {
  const candidates = rooms.map(({ candidate }) => candidate);
  const { fitting, rejected } = chooseHub(candidates, where, now, slot);
  const reasons: string[] = [];
  for (const { hub } of fitting) {
    const room = rooms.find(({ candidate }) => candidate.hub.id === hub.id);
    if (!room) continue;
    const lacks = lackingIn(room, needs);
    if (lacks.length > 0) {
      reasons.push(`${hub.metadata.name} lacks ${lacks.join(", ")}`);
      continue;
    }
    if (slot) room.candidate.used += 1;
    for (const [type, count] of Object.entries(needs))
      room.free.set(type, (room.free.get(type) ?? 0) - count);
    return { room_at: { id: hub.id, name: hub.metadata.name } };
  }
  const nameOf = new Map(candidates.map(({ hub }) => [hub.id, hub.metadata.name]));
  reasons.push(...rejected.map(({ hub, reason }) => `${nameOf.get(hub) ?? hub} ${reason}`));
  return { why: reasons.join("; ") || "there is no other hub in the region" };
}

const lackingIn = ({ free }: Room, needs: Needs): string[] =>
  Object.entries(needs).flatMap(([type, count]) => {
    const missing = count - (free.get(type) ?? 0);
    return missing > 0 ? [`${missing} ${type}`] : [];
  });

const nodesOf = ({ spec }: Cluster): number =>
  Object.values(spec.node_sets).reduce((sum, { size }) => sum + size, 0);

const byName = (a: { metadata: { name: string } }, b: { metadata: { name: string } }): number =>
  a.metadata.name < b.metadata.name ? -1 : 1;

const shown = ({ id, metadata, status }: Cluster | BaremetalInstance) => ({
  ...{ id, name: metadata.name, tenant: metadata.tenant, state: status.state },
});

const nodeSetsOf = ({ spec }: Cluster): OnCluster["node_sets"] =>
  Object.entries(spec.node_sets).map(([name, { host_type, size }]) => ({
    ...{ name, size },
    host_type: host_type.name,
  }));
