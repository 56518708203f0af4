import { mustLoad, type Records } from "../../kernel/object/records.ts";
import type { Placed, PlacedKind, RejectedHub } from "../../kernel/object/traits.ts";
import type { RecheckDeps } from "../../kernel/saga/rechecks.ts";
import { refuseFenced } from "../../kernel/store/optimistically.ts";
import {
  type Check,
  type Store,
  TransactionRefused,
  type Write,
} from "../../kernel/store/store.ts";
import { constraintsOf, idleHosts, lackingHosts, needsOf, totals } from "../choose/demand.ts";
import { type Plan, plan } from "../choose/plan.ts";
import { together } from "../choose/together.ts";
import { waitingFor } from "../choose/waiting-text.ts";
import { scaleUpHub } from "../hot-pools/scale-up.ts";
import { couldServe } from "../hubs/candidate.ts";
import type { ScanPosition } from "../hubs/hubs-with-room.ts";
import { claimedHost } from "../pool/entries.ts";
import { mayLeave } from "../pool/host.ts";
import { hubQueue, positionInQueues, slotQueue, type Ticket } from "../queues/tickets.ts";
import { heldHosts, release } from "./release.ts";
import {
  type Asking,
  lackingQueues,
  type ReserveRequest,
  reservationWrites,
  ticketWrites,
} from "./writes.ts";

/**
 * Reserves the hosts of every set on one hub, and a control-plane slot for a demand that takes one, all or nothing; in
 * one transaction if they fit into one. A placed owner claims what it lacks on its own hub. An owner that cannot be
 * served takes tickets and holds nothing.
 */

export type ReserveOutcome =
  | { placed: true; reason: string; rejected: RejectedHub[] }
  | {
      placed: false;
      waitingFor: string;
      /** The position in the queue, 1 for the next; undefined while no hub could ever serve the owner. */
      position: number | undefined;
      rejected: RejectedHub[];
      /** The position that the plan has reached in the lists of hubs with room; undefined at their end. */
      walked: ScanPosition | undefined;
      /** The hub whose hot pools should scale up for the owner; absent where none can. */
      raised?: Ticket["raises"];
    };

/** The most tries of a reservation while others claim the same hosts; then the order waits in a queue. */
const tries = 30;

/**
 * Reserves the hosts and the slot that an owner lacks, or makes its operation wait for them. Throws Cancelled when the
 * operation has turned back.
 */
export async function reserve<K extends PlacedKind>(
  deps: RecheckDeps,
  request: ReserveRequest<K>,
): Promise<ReserveOutcome> {
  const { operation } = request;
  const taken = new Set<string>();
  let isQueued = false;
  for (let n = 1; ; n++) {
    const asking = await read(deps, request);
    const { demand, placement } = asking;
    if (placement && lackingHosts(demand.wants, placement).size === 0)
      return { placed: true, reason: placement.reason, rejected: placement.rejected };
    const attempt = await plan(deps, demand, { operation, placement, taken });
    const { found, rejected } = attempt;
    if (!found) {
      const { reservation, isNew } = await wait(deps, request, asking, attempt);
      // Hosts that were released between the plan and the write of the ticket have woken nobody, even if an
      // earlier round could not claim them.
      if (!isNew || isQueued) return reservation;
      isQueued = true;
      taken.clear();
      continue;
    }
    if (n > tries) {
      const scarce = new Set(lackingQueues(demand, placement));
      const late = await wait(deps, request, asking, { ...attempt, rejected: [], scarce });
      return late.reservation;
    }
    const refused = await fenced(
      deps.store,
      request.fence,
      await reservationWrites(deps, request, asking, { found, rejected }),
    );
    // These hosts were claimed or put into maintenance meanwhile, but a lagging index may still offer them.
    for (const write of refused) {
      const host = claimedHost(write);
      if (host !== undefined) taken.add(host);
    }
  }
}

async function read<K extends PlacedKind>(
  records: Records,
  { kind, id, demand, others }: ReserveRequest<K>,
): Promise<Asking<K>> {
  const object = await mustLoad(records, kind, id);
  const { placement }: Placed = object;
  const all = placement ? [] : ((await others?.(object)) ?? []);
  const demands = all.map((other) => demand(other.object));
  return { object, others: all, placement, demand: together(demand(object), demands) };
}

/**
 * Writes under the operation's fence. Throws Cancelled when the operation has turned back; answers the
 * refused writes.
 */
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

/** Takes a ticket in the queue of each scarce thing. Answers the reasons of the wait, and whether a ticket is new. */
async function wait<K extends PlacedKind>(
  deps: RecheckDeps,
  request: ReserveRequest<K>,
  asking: Asking<K>,
  { scarce, rejected, read, ahead, others }: Plan,
): Promise<{ reservation: ReserveOutcome; isNew: boolean }> {
  const { demand, placement } = await withoutPart(deps, request, asking);
  const { operation } = request;
  const queues = new Set(scarce);
  if (!placement) queues.add(hubQueue);
  // Owners that wait for any hub need a slot too; with a ticket for slots they keep their position when a hub comes.
  if (scarce.has(hubQueue) && demand.slot) queues.add(slotQueue);
  // If no hub was read, the scarce things are unknown, so all queues count.
  if (others && read.length === 0)
    for (const queueName of lackingQueues(demand, placement)) queues.add(queueName);
  const where = constraintsOf(demand, placement);
  const needs = needsOf(demand, placement);
  const lacking = totals(lackingHosts(demand.wants, placement));
  const hubs = read.filter((each) => couldServe(each, { where, needs }));
  const own = { demand, placement };
  const at = await scaleUpHub(deps, operation, own, hubs, { lacking, ahead });
  const raises = at === undefined ? undefined : { hub: at, hosts: Object.fromEntries(lacking) };
  const tickets = await ticketWrites(deps, request, demand, placement, queues, raises);
  if (tickets.length > 0) await fenced(deps.store, request.fence, tickets);
  queues.delete(hubQueue);
  const position = hubs.length > 0 ? await positionInQueues(ahead, queues, hubs) : undefined;
  const words = waitingFor({ where, needs, lacking, scarce, rejected, read, others, position });
  const walked = others?.walked;
  return {
    reservation: {
      ...{ placed: false, waitingFor: words, position, rejected, walked },
      ...(raises && { raised: raises }),
    },
    isNew: tickets.some((write) => "put" in write),
  };
}

/**
 * Releases the part that a large order has claimed, so that it is not held while the order waits: two such orders could
 * wait for each other. Hosts that are in use already (from an interrupted change) stay. Answers the owner without the
 * released part.
 */
async function withoutPart<K extends PlacedKind>(
  deps: RecheckDeps,
  request: ReserveRequest<K>,
  asking: Asking<K>,
): Promise<Asking<K>> {
  const { object, placement, demand } = asking;
  const extra = idleHosts(demand, placement);
  if (extra.size === 0) return asking;
  const held = await heldHosts(deps, object);
  const idle = held.filter(({ host }) => extra.has(host.id) && mayLeave(host));
  const hosts = new Set<string>(idle.map(({ host }) => host.id));
  await release(deps, {
    ...{ kind: request.kind, id: request.id, unplaced: request.unplaced },
    operation: request.operation.id,
    fence: request.fence,
    hosts: () => hosts,
    entirely: demand.inUse === undefined,
  });
  return read(deps, request);
}
