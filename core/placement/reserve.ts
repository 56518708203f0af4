import { timestamp } from "../clock.ts";
import type { Deps } from "../deps.ts";
import { asHubId, type HostId } from "../id.ts";
import { objectKey, slotsKey } from "../kernel/object/keys.ts";
import { mustLoad, putChanged, refuseFenced } from "../kernel/object/records.ts";
import { rewritten } from "../kernel/object/rewrite.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import {
  any,
  type Check,
  compare,
  eq,
  lacks,
  type Store,
  TransactionRefused,
  transactionLimit,
  type Write,
} from "../kernel/store/store.ts";
import type { Cluster, NodeSets, Placement, RejectedHub } from "../resources/cluster/model.ts";
import { mayLeave } from "../resources/host/model.ts";
import { capacityOf, couldServe } from "./choose.ts";
import { candidates } from "./hubs.ts";
import { countTaken } from "./inventory.ts";
import { type Attempt, type Found, lackingHosts, needsOf, plan, totals, wishOf } from "./plan.ts";
import { claimedHost, claimHost, hostsPerTransaction, type Place } from "./pool.ts";
import { heldHosts, release } from "./release.ts";
import {
  classesOf,
  dropTicket,
  hostClass,
  hubClass,
  placeInLine,
  slotClass,
  takeTicket,
} from "./tickets.ts";
import { waitingFor } from "./words.ts";

/**
 * Reserving: a control-plane slot and the hosts of every node set on one hub, all or nothing, in
 * one transaction as long as it fits into one. A cluster that is placed already takes what it
 * lacks on its own hub. Who cannot be served takes a ticket and holds nothing.
 */

export type Reservation =
  | { placed: true; reason: string; rejected: RejectedHub[] }
  | {
      placed: false;
      waitingFor: string;
      /** Its place in line, 1 for the next; undefined while no hub could ever serve it. */
      position: number | undefined;
      rejected: RejectedHub[];
    };

/** Tries against others who take the same hosts, before the order takes its place in line. */
const tries = 30;

export interface Request {
  cluster: string;
  operation: Operation;
  step: string;
  nodeSets: NodeSets;
  fence: Check[];
}

export async function reserve(deps: Deps, request: Request): Promise<Reservation> {
  const taken = new Set<string>();
  for (let n = 0; n < tries; n++) {
    const cluster = await mustLoad(deps.store, "cluster", request.cluster);
    const lacking = lackingHosts(cluster, request.nodeSets);
    if (cluster.placement && lacking.size === 0)
      return { placed: true, ...reasonsOf(cluster.placement) };
    const attempt = await plan(deps, cluster, request.nodeSets, request.operation, taken);
    if (!attempt.found) return wait(deps, request, cluster, attempt);
    const refused = await fenced(
      deps.store,
      request.fence,
      claims(deps, request, cluster, attempt.found),
    );
    // Held by whoever was faster, or in maintenance; an index that lags may go on offering them.
    for (const write of refused) {
      const host = claimedHost(write);
      if (host !== undefined) taken.add(host);
    }
  }
  const cluster = await mustLoad(deps.store, "cluster", request.cluster);
  const lacking = totals(lackingHosts(cluster, request.nodeSets));
  return wait(deps, request, cluster, {
    rejected: [],
    short: new Set([...lacking.keys()].map(hostClass)),
    everyone: await candidates(deps.store),
  });
}

const reasonsOf = ({ reason, rejected }: Placement) => ({ reason, rejected });

/** Writes under the operation's fence. Throws Cancelled when it has turned back; answers what was refused. */
async function fenced(store: Store, fence: Check[], writes: Write[]): Promise<Write[]> {
  try {
    await store.transact([...fence, ...writes]);
    return [];
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    refuseFenced(error, fence);
    return writes.filter((_, n) => error.reasons[fence.length + n] !== undefined);
  }
}

/** Hosts that the cluster holds beyond these node sets. */
function beyond(cluster: Cluster, nodeSets: NodeSets): Set<string> {
  return new Set(
    Object.entries(cluster.placement?.hosts ?? {}).flatMap(([set, hosts]) =>
      hosts.slice(nodeSets[set]?.size ?? 0),
    ),
  );
}

/**
 * The transaction. An order too large for one claims in chunks: the rest is lacking still, and the
 * next round takes it on the hub that is now its own. It holds the first place in the queue
 * meanwhile, since it keeps its tickets until the last chunk.
 */
function claims(deps: Deps, request: Request, cluster: Cluster, found: Found): Write[] {
  const { hub } = found.candidate;
  const now = deps.clock.now();
  const types = new Map(
    Object.entries(request.nodeSets).map(([name, set]) => [name, set.host_type.name]),
  );
  const all = [...found.hosts].flatMap(([set, hosts]) => hosts.map((host) => ({ set, host })));
  const classes = classesOf(cluster);
  // Beside them: the fence, the cluster, its hub, the slot, the count of free hosts, and a ticket a class.
  const room = transactionLimit - 5 - classes.length;
  const chunk = all.slice(0, Math.min(hostsPerTransaction, room));
  const placeOf = (set: string): Place => ({ hub: hub.id, hostType: types.get(set) ?? "" });
  const held: Record<string, HostId[]> = { ...cluster.placement?.hosts };
  for (const { set, host } of chunk) held[set] = [...(held[set] ?? []), host];
  const placement: Placement = {
    hub: asHubId(hub.id),
    at: timestamp(now),
    reason: found.reason,
    rejected: found.rejected.slice(0, 20),
    ...cluster.placement,
    hosts: held,
  };
  const { site = hub.spec.site && { id: hub.spec.site, parts: {} } } = cluster;
  const writes: Write[] = [
    putChanged(rewritten(cluster, { ...cluster, placement, ...(site && { site }) }, now)),
    ...chunk.map(({ set, host }) => claimHost(placeOf(set), host, cluster.id)),
    ...countTaken(chunk.map(({ set }) => placeOf(set))),
  ];
  if (!cluster.placement) {
    writes.push(
      {
        update: slotsKey(hub.id),
        add: { used: 1 },
        if: any(lacks("used"), compare("used", "lt", capacityOf(hub))),
      },
      // Removed or cordoned since it was chosen: choose again.
      { check: objectKey("hub", hub.id), if: eq("generation", hub.generation) },
    );
  }
  if (chunk.length === all.length) {
    writes.push(...classes.map((scarce) => dropTicket(scarce, request.operation)));
  } else if (!cluster.placement) {
    const lacking = totals(lackingHosts(cluster, request.nodeSets));
    const short = new Set([...lacking.keys()].map(hostClass));
    writes.push(...ticketWrites(request, { ...cluster, placement }, short));
  }
  return writes;
}

/** A ticket in each of these classes, and none in the others. */
function ticketWrites(request: Request, cluster: Cluster, classes: ReadonlySet<string>): Write[] {
  const { operation, step } = request;
  const needs = needsOf(cluster, request.nodeSets);
  const ticket = { operation: operation.id, step, wish: wishOf(cluster), needs };
  return [...new Set([...classes, ...classesOf(cluster)])].map((scarce) =>
    classes.has(scarce) ? takeTicket(scarce, operation, ticket) : dropTicket(scarce, operation),
  );
}

/** Takes a ticket in every class that is short, and says what the order waits for. */
async function wait(
  deps: Deps,
  request: Request,
  cluster: Cluster,
  { short, rejected, everyone }: Attempt,
): Promise<Reservation> {
  const left = await withoutPart(deps, cluster, request.operation);
  const classes = new Set(short);
  if (!left.placement) classes.add(hubClass);
  // Whatever hub comes, those who waited for any go first.
  if (short.has(hubClass)) classes.add(slotClass);
  await fenced(deps.store, request.fence, ticketWrites(request, left, classes));
  const wish = wishOf(left);
  const needs = needsOf(left, request.nodeSets);
  const hubs = everyone.filter((each) => couldServe(each, { wish, needs }));
  classes.delete(hubClass);
  const position =
    hubs.length > 0 ? await placeInLine(deps.store, classes, request.operation, hubs) : undefined;
  const lacking = totals(lackingHosts(left, request.nodeSets));
  const words = waitingFor({ wish, needs, lacking, short, rejected, everyone, position });
  return { placed: false, waitingFor: words, position, rejected };
}

/**
 * A large order that got a part only must not keep it while it waits: two of them could wait for
 * each other. What is in use already (a change that halted) stays. Answers the cluster without it.
 */
async function withoutPart(
  deps: Deps,
  cluster: Cluster,
  { id: operation }: Operation,
): Promise<Cluster> {
  const extra = beyond(cluster, cluster.applied ?? {});
  if (extra.size === 0) return cluster;
  const held = await heldHosts(deps.store, cluster);
  const idle = held.filter(({ host }) => extra.has(host.id) && mayLeave(host));
  const hosts = new Set<string>(idle.map(({ host }) => host.id));
  const entirely = cluster.applied === undefined;
  await release(deps, { cluster: cluster.id, operation, hosts: () => hosts, entirely });
  return mustLoad(deps.store, "cluster", cluster.id);
}
