import type { Waiter } from "../../kernel/claim/ticket.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { RejectedHub } from "../../kernel/object/traits.ts";
import type { Operation } from "../../kernel/saga/operation.ts";
import type { Candidate } from "../hubs/candidate.ts";
import {
  type EntryPage,
  examples,
  type HubSearch,
  likely,
  onward,
  type PageSizes,
  type ScanPosition,
  type UnreadHubs,
} from "../hubs/hubs-with-room.ts";
import { candidatesOf, idsOfFew, numberOfHubs } from "../hubs/read.ts";
import { hubQueue, slotQueue, type TicketsAhead, ticketsAhead } from "../queues/tickets.ts";
import { constraintsOf, type HostSearch, lackingHosts, totals } from "./demand.ts";
import { type FoundHub, type Judged, judge, type Situation } from "./judge.ts";

/**
 * Plans a reservation: finds the best hub that has everything that a demand lacks, or the queues for everything
 * that is scarce. Only reads: all hubs if there are few; otherwise a limited number of those whose entries
 * promise room. A plan that reaches this limit notes its position, and the next one continues there.
 */

export interface Plan {
  found?: FoundHub;
  rejected: RejectedHub[];
  /** The queues of everything that is scarce on the hubs that the owner could use. */
  scarce: Set<string>;
  /** The hubs that were read, as the plan read them. */
  read: Candidate[];
  /** The tickets before the operation's own; the plan has read some of them. */
  ahead: TicketsAhead;
  /** The known data of hubs that were not read; absent if all relevant ones were read. */
  others?: UnreadHubs;
}

/**
 * The planning operation or allocation, its owner's placement, and the hosts that others have claimed since earlier
 * plans.
 */
interface Planning extends Omit<Situation, "ahead"> {
  operation: Waiter & Pick<Operation, "placement">;
}

/** The limits of reading of one plan. */
export interface Bounds {
  /** Up to this number, all hubs are read. */
  few: number;
  /** The number of hubs that are read and judged at a time. */
  batch: number;
  pages: PageSizes;
  /** The first search reads hubs with the most room; the second continues where the last plan stopped. */
  likely: Bound;
  onward: Bound;
}

interface Bound {
  pages: number;
  hubs: number;
}

const usual: Bounds = {
  ...{ few: 10, batch: 10, pages: { likely: 10, onward: 100 } },
  ...{ likely: { pages: 40, hubs: 20 }, onward: { pages: 100, hubs: 40 } },
};

/** Plans for the best hub that has everything now, or among many for one of the best. */
export async function plan(
  deps: Deps,
  demand: HostSearch,
  planning: Planning,
  bounds = usual,
): Promise<Plan> {
  const { operation, placement } = planning;
  const ahead = ticketsAhead(deps.store, operation);
  const { hub } = constraintsOf(demand, placement);
  const ids = hub !== undefined ? [hub] : await idsOfFew(deps, bounds.few);
  if (!ids) return planAmongMany(deps, demand, { ...planning, ahead }, bounds);
  const read = await candidatesOf(deps, ids);
  const judged = await judge(deps, demand, { ...planning, ahead }, read);
  return { ...together([judged]), read, ahead };
}

async function planAmongMany(
  deps: Deps,
  demand: HostSearch,
  planning: Planning & Situation,
  { batch, pages, ...bounds }: Bounds,
): Promise<Plan> {
  const { store, random } = deps;
  const { operation, placement, ahead } = planning;
  const search: HubSearch = {
    where: constraintsOf(demand, placement),
    slot: demand.slot,
    types: totals(lackingHosts(demand.wants, placement)),
  };
  const read = new Map<string, Candidate | undefined>();
  const judged: Judged[] = [];

  async function look(hubs: string[]): Promise<boolean> {
    const candidates = await candidatesOf(deps, hubs);
    for (const hub of hubs) read.set(hub, undefined);
    for (const each of candidates) read.set(each.hub.id, each);
    const last = await judge(deps, demand, planning, candidates, judged);
    judged.push(last);
    return last.found !== undefined;
  }

  /** Judges hubs until one has everything. Answers its position if it reached the limit. */
  async function walk(
    found: AsyncGenerator<EntryPage>,
    bound: Bound,
  ): Promise<ScanPosition | undefined> {
    let [pagesLeft, hubsLeft] = [bound.pages, bound.hubs];
    for await (const { entries, walked } of found) {
      const unseen = entries.filter(({ hub }) => !read.has(hub));
      for (let at = 0; at < unseen.length; at += batch) {
        const some = unseen.slice(at, at + Math.min(batch, hubsLeft));
        if (await look(some.map(({ hub }) => hub))) return undefined;
        hubsLeft -= some.length;
        if (hubsLeft === 0) return { ...walked, entry: some.at(-1)?.sk ?? walked.entry };
      }
      pagesLeft -= 1;
      if (pagesLeft === 0) return walked;
    }
    return undefined;
  }

  const isFound = () => judged.at(-1)?.found !== undefined;
  let walked = await walk(likely(store, search, random, pages), bounds.likely);
  if (walked) {
    const before = operation.placement?.walked;
    walked = await walk(onward(store, search, pages, before), bounds.onward);
  }
  if (read.size === 0) await look((await examples(store, search, pages)).map(({ hub }) => hub));
  const found = [...read.values()].flatMap((each) => each ?? []);
  const plan = { ...together(judged), read: found, ahead };
  if (isFound()) return plan;
  const count = (await numberOfHubs(deps)) - found.length;
  return { ...plan, others: { count, ...(walked && { walked }) } };
}

/** The combined judgement of all hubs that were read. */
function together(judged: readonly Judged[]): Omit<Plan, "read" | "ahead" | "others"> {
  const found = judged.at(-1)?.found;
  const rejected = judged.flatMap((each) => each.rejected);
  const scarce = new Set(judged.flatMap((each) => [...each.scarce]));
  const fits = judged.some(({ fitting }) => fitting > 0);
  if (!fits && judged.some(({ wantsSlot }) => wantsSlot)) scarce.add(slotQueue);
  // If no hub could ever serve the owner, it waits for any change of hubs.
  if (!found && scarce.size === 0) scarce.add(hubQueue);
  return { rejected, scarce, ...(found && { found }) };
}
