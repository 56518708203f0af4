import { timestamp } from "../clock.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../error.ts";
import { asHubId, type HostId } from "../id.ts";
import type { Cluster, Placement, RejectedHub } from "../model/cluster.ts";
import type { Operation } from "../model/operation.ts";
import { slotsKey } from "../store/keys.ts";
import { mustLoad, putChanged } from "../store/records.ts";
import { rewritten } from "../store/rewrite.ts";
import {
  any,
  type Check,
  compare,
  lacks,
  type Refusal,
  type Store,
  TransactionRefused,
  type Write,
} from "../store/store.ts";
import { type Candidate, chooseHub, type Wish } from "./choose.ts";
import { candidates } from "./hubs.ts";
import { claimHost, findFree, hostsPerTransaction } from "./pool.ts";
import { release } from "./release.ts";
import { ahead, contended, dropTicket, hostClass, slotClass, takeTicket } from "./tickets.ts";

/**
 * Reserving: a control-plane slot and the hosts of every node set on one hub, all or nothing, in
 * one transaction as long as it fits into one. A cluster that is placed already takes what it
 * lacks on its own hub. Who cannot be served takes a ticket and holds nothing.
 */

export type Reservation =
  | { placed: true; reason: string; rejected: RejectedHub[] }
  | { placed: false; waitingFor: string; rejected: RejectedHub[] };

/** Tries against others who take the same hosts, before the order waits for its next look. */
const tries = 30;

export interface Request {
  cluster: string;
  operation: Operation;
  step: string;
  /** Of each node set. */
  sizes: Record<string, number>;
  fence: Check[];
}

export async function reserve(deps: Deps, request: Request): Promise<Reservation> {
  const taken = new Set<string>();
  for (let n = 0; n < tries; n++) {
    const cluster = await mustLoad(deps.store, "cluster", request.cluster);
    const lacking = lackingHosts(cluster, request.sizes);
    if (cluster.placement && lacking.size === 0)
      return { placed: true, reason: cluster.placement.reason, rejected: [] };
    const attempt = await plan(deps, cluster, lacking, request.operation, taken);
    if (!attempt.found) return wait(deps, request, cluster, attempt);
    const refused = await fenced(
      deps.store,
      request.fence,
      claims(deps, request, cluster, attempt.found),
    );
    // Whoever was faster holds these now; an index that lags may go on offering them.
    for (const refusal of refused) if (refusal?.item?.state === "held") taken.add(refusal.item.sk);
  }
  return { placed: false, waitingFor: "a quiet moment: many others take hosts now", rejected: [] };
}

/** Writes under the operation's fence. Throws Cancelled when it has turned back; answers other refusals. */
async function fenced(
  store: Store,
  fence: Check[],
  writes: Write[],
): Promise<(Refusal | undefined)[]> {
  try {
    await store.transact([...fence, ...writes]);
    return [];
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    if (error.reasons.slice(0, fence.length).some((reason) => reason !== undefined)) {
      throw new AppError("Cancelled", "the operation has turned back", { cause: error });
    }
    return error.reasons;
  }
}

/** How many hosts each node set has yet to get. */
export function lackingHosts(
  cluster: Cluster,
  sizes: Record<string, number>,
): Map<string, { hostType: string; count: number }> {
  const lacking = new Map<string, { hostType: string; count: number }>();
  for (const [name, set] of Object.entries(cluster.spec.node_sets)) {
    const count = (sizes[name] ?? set.size) - (cluster.placement?.hosts[name]?.length ?? 0);
    if (count > 0) lacking.set(name, { hostType: set.host_type.name, count });
  }
  return lacking;
}

/** Hosts that node sets hold beyond these sizes. */
function beyond(cluster: Cluster, sizes: Record<string, number>): Set<string> {
  return new Set(
    Object.entries(cluster.placement?.hosts ?? {}).flatMap(([set, hosts]) =>
      hosts.slice(sizes[set] ?? 0),
    ),
  );
}

/** The classes of scarce things that an order draws from. */
export function classesOf(cluster: Cluster): string[] {
  return [
    slotClass,
    ...new Set(Object.values(cluster.spec.node_sets).map((set) => hostClass(set.host_type.name))),
  ];
}

const wishOf = (cluster: Cluster): Wish => ({
  tenant: cluster.metadata.tenant,
  ...cluster.spec.placement,
});

interface Found {
  candidate: Candidate;
  hosts: Map<string, HostId[]>;
  reason: string;
  rejected: RejectedHub[];
}

interface Attempt {
  found?: Found;
  rejected: RejectedHub[];
  /** Classes that are short somewhere the order could go. */
  short: Set<string>;
}

/** Looks for the best hub that has everything now. */
async function plan(
  deps: Deps,
  cluster: Cluster,
  lacking: ReturnType<typeof lackingHosts>,
  operation: Operation,
  taken: ReadonlySet<string>,
): Promise<Attempt> {
  const everyone = await candidates(deps.store);
  const placed = cluster.placement;
  const choice = placed
    ? {
        fitting: everyone.filter(({ hub }) => hub.id === placed.hub),
        rejected: [],
        wantsSlot: false,
      }
    : chooseHub(everyone, wishOf(cluster), deps.clock.now());
  const rejected = [...choice.rejected];
  const short = new Set(choice.wantsSlot && choice.fitting.length === 0 ? [slotClass] : []);
  const types = totals(lacking);
  const before = await ahead(
    deps.store,
    [...(placed ? [] : [slotClass]), ...[...types.keys()].map(hostClass)],
    operation,
  );

  for (const candidate of choice.fitting) {
    const queued = contended(candidate.hub, before);
    if (queued !== undefined) {
      rejected.push({ hub: candidate.hub.id, reason: `others wait there for ${queued}` });
      short.add(queued);
      continue;
    }
    const free = await freeOn(deps.store, candidate.hub.id, types, taken, deps.random);
    const missing = [...types].filter(([type, count]) => (free.get(type)?.length ?? 0) < count);
    if (missing.length === 0) {
      return {
        found: {
          candidate,
          hosts: assign(lacking, free),
          reason: reasonFor(candidate, choice.fitting.length),
          rejected,
        },
        rejected,
        short,
      };
    }
    for (const [type] of missing) short.add(hostClass(type));
    const reason = missing.map(
      ([type, count]) => `${free.get(type)?.length ?? 0} of ${count} ${type} hosts free`,
    );
    rejected.push({ hub: candidate.hub.id, reason: reason.join(", ") });
  }
  // With no hub that could take it at all, any change to hubs is what it waits for.
  if (short.size === 0) short.add(slotClass);
  return { rejected, short };
}

const reasonFor = ({ hub, used }: Candidate, fitting: number): string =>
  `least loaded of ${fitting} fitting hubs: ${used} of ${hub.spec.capacity} control planes in use`;

function totals(lacking: ReturnType<typeof lackingHosts>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { hostType, count } of lacking.values())
    sums.set(hostType, (sums.get(hostType) ?? 0) + count);
  return sums;
}

async function freeOn(
  store: Store,
  hub: string,
  types: Map<string, number>,
  taken: ReadonlySet<string>,
  random: () => number,
): Promise<Map<string, HostId[]>> {
  const free = new Map<string, HostId[]>();
  for (const [hostType, count] of types) {
    free.set(hostType, await findFree(store, { hub, hostType }, count, taken, random));
  }
  return free;
}

/** Deals the hosts out to the node sets; two sets of one type share what was found. */
function assign(
  lacking: ReturnType<typeof lackingHosts>,
  free: Map<string, HostId[]>,
): Map<string, HostId[]> {
  const left = new Map([...free].map(([type, hosts]) => [type, [...hosts]]));
  return new Map(
    [...lacking].map(([set, { hostType, count }]) => [
      set,
      left.get(hostType)?.splice(0, count) ?? [],
    ]),
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
    Object.entries(cluster.spec.node_sets).map(([name, set]) => [name, set.host_type.name]),
  );
  const all = [...found.hosts].flatMap(([set, hosts]) => hosts.map((host) => ({ set, host })));
  const chunk = all.slice(0, hostsPerTransaction);
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
  const writes: Write[] = [
    putChanged(rewritten(cluster, { ...cluster, placement }, now)),
    ...chunk.map(({ set, host }) =>
      claimHost({ hub: hub.id, hostType: types.get(set) ?? "" }, host, cluster.id),
    ),
  ];
  if (!cluster.placement) {
    writes.push({
      update: slotsKey(hub.id),
      add: { used: 1 },
      if: any(lacks("used"), compare("used", "lt", hub.spec.capacity)),
    });
  }
  if (chunk.length === all.length) {
    writes.push(...classesOf(cluster).map((scarce) => dropTicket(scarce, request.operation)));
  } else if (!cluster.placement) {
    const ticket = { operation: request.operation.id, step: request.step, wish: wishOf(cluster) };
    writes.push(
      ...[...totals(lackingHosts(cluster, request.sizes)).keys()].map((type) =>
        takeTicket(hostClass(type), request.operation, ticket),
      ),
    );
  }
  return writes;
}

/** Takes a ticket in every class that is short, and says what the order waits for. */
async function wait(
  deps: Deps,
  request: Request,
  cluster: Cluster,
  attempt: Attempt,
): Promise<Reservation> {
  const ticket = { operation: request.operation.id, step: request.step, wish: wishOf(cluster) };
  await fenced(
    deps.store,
    request.fence,
    [...attempt.short].map((scarce) => takeTicket(scarce, request.operation, ticket)),
  );
  // A large order that got a part only must not keep it while it waits: two of them could wait for each other.
  const extra = beyond(cluster, cluster.applied ?? {});
  if (extra.size > 0) await release(deps, cluster.id, extra, cluster.applied === undefined);
  const because = attempt.rejected
    .map(({ hub, reason }) => `hub ${hub} ${reason}`)
    .slice(0, 5)
    .join("; ");
  const what = [...attempt.short]
    .map((scarce) =>
      scarce === slotClass ? "a control-plane slot" : scarce.replace("host:", "hosts of type "),
    )
    .join(" and ");
  return {
    placed: false,
    waitingFor: `${what}${because ? ` (${because})` : " (no hub is registered)"}`,
    rejected: attempt.rejected,
  };
}
