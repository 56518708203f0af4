import * as z from "zod";
import type { Deps } from "../kernel/deps.ts";
import { hubPartition } from "../kernel/object/keys.ts";
import { objectsIn, type Records } from "../kernel/object/records.ts";
import { type Caller, mustSee } from "../kernel/request/caller.ts";
import { type Candidate, type Constraints, chooseHub, type Needs } from "../placement/choose.ts";
import { constraintsOf, needsOf } from "../placement/demand.ts";
import { candidatesOf, hubsOf } from "../placement/hubs.ts";
import { demandFor } from "../resources/cluster/demand.ts";
import type { Cluster } from "../resources/cluster/model.ts";
import { usageOfHubs } from "../resources/hub/usage.ts";

/**
 * What stands on a hub, and where there is room for it, by the rules of placement. Control planes do not
 * move: each cluster is ordered again elsewhere, then deleted here.
 */

const nodeSetSchema = z.object({
  name: z.string().describe("Name of the node set."),
  host_type: z.string().describe("Name of the type of its hosts."),
  size: z.int().min(0).describe("How many hosts it has."),
});

const placeSchema = z.object({
  id: z.string().describe("Id of the cluster."),
  name: z.string().describe("Name of the cluster."),
  tenant: z.string().describe("The tenant that it is of."),
  state: z.string().describe("Its state."),
  node_sets: z.array(nodeSetSchema).describe("Its node sets."),
  room_at: z
    .object({
      id: z.string().describe("Id of the hub."),
      name: z.string().describe("Name of the hub."),
    })
    .optional()
    .describe(
      "The hub that has room for it beside those before it in the list; absent where none has.",
    ),
  why: z.string().optional().describe("Why no hub has room for it."),
});

export const drainPlanSchema = z.object({
  clusters: z.array(placeSchema).describe("The clusters on the hub, those with most nodes first."),
  without_room: z.int().min(0).describe("How many of them no other hub has room for."),
  hosts: z
    .object({
      total: z.int().min(0).describe("How many the hub has."),
      used: z.int().min(0).describe("How many of them are held."),
    })
    .describe("The hosts of the hub."),
});
export type DrainPlan = z.output<typeof drainPlanSchema>;
type Place = DrainPlan["clusters"][number];

/** What a hub has left, without what is planned for it. */
interface Room {
  candidate: Candidate;
  free: Map<string, number>;
}

type PlanDeps = Records & Pick<Deps, "clock">;

/** Plans from the records of the hub's clusters and of the hubs of its region. Throws NotFound. */
export async function drainPlanOf(deps: PlanDeps, caller: Caller, id: string): Promise<DrainPlan> {
  const hub = await mustSee(deps, caller, "hub", id);
  const [standing, rooms, [usage]] = await Promise.all([
    clustersOn(deps, id),
    roomsBeside(deps, id, hub.spec.region),
    usageOfHubs(deps.store, [hub]),
  ]);
  const now = deps.clock.now();
  const clusters = standing
    .sort((a, b) => nodesOf(b) - nodesOf(a) || (a.metadata.name < b.metadata.name ? -1 : 1))
    .map((cluster): Place => {
      // As if it were ordered anew.
      const demand = demandFor(cluster.spec.node_sets)(cluster);
      const where = { region: hub.spec.region, ...constraintsOf(demand, undefined) };
      return {
        ...shown(cluster),
        ...placeFor({ where, needs: needsOf(demand, undefined) }, rooms, now),
      };
    });
  const hosts = usage?.hosts ?? [];
  return {
    clusters,
    without_room: clusters.filter(({ room_at }) => room_at === undefined).length,
    hosts: {
      total: hosts.reduce((sum, { total }) => sum + total, 0),
      used: hosts.reduce((sum, { reserved }) => sum + reserved, 0),
    },
  };
}

async function clustersOn(records: Records, hub: string): Promise<Cluster[]> {
  const found: Cluster[] = [];
  const pk = hubPartition(hub, "cluster");
  for await (const page of objectsIn<"cluster">(records, { index: "g3", pk })) found.push(...page);
  return found;
}

async function roomsBeside(
  records: Records,
  id: string,
  region: string | undefined,
): Promise<Room[]> {
  const others = (await hubsOf(records)).filter(
    (hub) => hub.id !== id && hub.spec.region === region,
  );
  const candidates = await candidatesOf(
    records,
    others.map((hub) => hub.id),
  );
  const usages = await usageOfHubs(
    records.store,
    candidates.map(({ hub }) => hub),
  );
  return candidates.map((candidate, n) => ({
    candidate,
    free: new Map((usages[n]?.hosts ?? []).map(({ host_type, free }) => [host_type, free])),
  }));
}

/** The best hub with room for a cluster, which is taken off it; or why there is none. */
function placeFor(
  { where, needs }: { where: Constraints; needs: Needs },
  rooms: Room[],
  now: number,
): Pick<Place, "room_at" | "why"> {
  const candidates = rooms.map(({ candidate }) => candidate);
  const { fitting, rejected } = chooseHub(candidates, where, now);
  const reasons: string[] = [];
  for (const { hub } of fitting) {
    const room = rooms.find(({ candidate }) => candidate.hub.id === hub.id);
    if (!room) continue;
    const lacks = lackingIn(room, needs);
    if (lacks.length > 0) {
      reasons.push(`${hub.metadata.name} lacks ${lacks.join(", ")}`);
      continue;
    }
    room.candidate.used += 1;
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

const shown = ({ id, metadata, spec, status }: Cluster): Omit<Place, "room_at" | "why"> => ({
  ...{ id, name: metadata.name, tenant: metadata.tenant, state: status.state },
  node_sets: Object.entries(spec.node_sets).map(([name, { host_type, size }]) => ({
    ...{ name, size },
    host_type: host_type.name,
  })),
});
