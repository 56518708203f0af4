import { isDeepStrictEqual } from "node:util";
import { minutes, seconds } from "../clock.ts";
import type { Holder } from "../kernel/claim/holder.ts";
import { dropTicket } from "../kernel/claim/ticket.ts";
import type { Deps } from "../kernel/deps.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import type { Kind } from "../kernel/object/object.ts";
import { mustLoad } from "../kernel/object/records.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import { type Pending, pending } from "../kernel/saga/saga.ts";
import { optimisticallyFenced } from "../kernel/store/optimistically.ts";
import type { Check } from "../kernel/store/store.ts";
import { positionText } from "../placement/choose/waiting-text.ts";
import { numbersQueue, positionInNumbers, takeTicket } from "../placement/queues/tickets.ts";
import type { Ipam, NumberPool, Usage } from "../ports/ipam/ipam.ts";
import { lowFrom, type SiteNumbers, uses } from "./pools.ts";
import type { PoolUse, Site } from "./site.ts";

/** Claims of a site's numbers for an operation, in order of arrival. */

export interface QueuedClaim<K extends Kind> {
  site: Site;
  numbers: SiteNumbers;
  use: PoolUse;
  /** The object that claims numbers, and their count. */
  holder: Holder<K>;
  count: number;
  operation: Operation;
  step: string;
  fence: Check[];
}

/** How often an operation that is not first in the queue checks again, in case its wake-up was lost. */
const ownLook = minutes(1);

/**
 * Claims the numbers, or joins the queue and answers which pool is empty. Throws Cancelled when a check of the
 * fence fails.
 */
export async function claimQueued<K extends Kind>(
  deps: Deps,
  turn: QueuedClaim<K>,
): Promise<number[] | Pending> {
  const { operation, holder, count, fence } = turn;
  const { ipam } = turn.numbers;
  const pool = turn.numbers.pools[turn.use];
  const queueName = numbersQueue(pool.name);
  const mine = holder.held(await mustLoad(deps, holder.kind, holder.id));
  if (mine.length > 0) {
    // If an IPAM system has the numbers too, an interrupted claim is completed there.
    const again = await ipam.claim(pool, holder, { count, fence });
    if ("claimed" in again) return again.claimed;
  }
  const { place, stands } = await positionInNumbers(deps.store, queueName, operation);
  const claim =
    place === 1
      ? await ipam.claim(pool, holder, {
          count,
          fence,
          isCurrent: () => isCurrent(deps, turn),
          writes: stands ? [dropTicket(queueName, operation)] : [],
        })
      : { short: await ipam.usage(pool), next: undefined };
  if ("claimed" in claim) {
    await noteLow(deps, turn.site, turn.use, turn.numbers);
    return claim.claimed;
  }
  const ticket = {
    operation: operation.id,
    step: turn.step,
    // A queue for numbers belongs to no hub.
    where: { tenant: operation.metadata.tenant },
    needs: {},
  };
  await optimisticallyFenced(deps.store, fence, async () => ({
    writes: stands ? [] : [takeTicket(queueName, operation, ticket)],
    result: undefined,
  }));
  const again = claim.next === undefined ? ownLook : claim.next - deps.clock.now();
  return pending(inWords(turn, claim.short, place), Math.min(ownLook, Math.max(seconds(1), again)));
}

/** Whether the site's pool is unchanged since the claim read it. */
async function isCurrent(deps: Deps, { site, use }: QueuedClaim<Kind>): Promise<boolean> {
  const { spec } = await mustLoad(deps, "site", site.id);
  const meaning = ({ network, allocator }: Site["spec"]) => ({ pool: network?.[use], allocator });
  return isDeepStrictEqual(meaning(spec), meaning(site.spec));
}

function inWords(
  { site, use }: QueuedClaim<Kind>,
  { used, resting, size }: Usage,
  place: number,
): string {
  const rest = resting > 0 ? [`${resting} at rest after their last use`] : [];
  const said = [`${used} of ${size} in use`, ...rest, ...positionText(place)];
  return `${uses[use]} of site ${site.id}: ${said.join(", ")}`;
}

/**
 * Records in the site's status that a pool has become low, or has recovered; the provider gets an event. Reads
 * the pool again after each write, since it may have changed before the write.
 */
export async function noteLow(
  deps: Deps,
  { id }: Site,
  use: PoolUse,
  { ipam, pools }: SiteNumbers,
): Promise<void> {
  let known = await mustLoad(deps, "site", id);
  for (;;) {
    const isLow = await isRunningLow(ipam, pools[use]);
    if (known.status.low.includes(use) === isLow) return;
    known = await changeObject(deps, "site", id, (site) => {
      const others = site.status.low.filter((each) => each !== use);
      return { ...site, status: { ...site.status, low: isLow ? [...others, use].sort() : others } };
    });
  }
}

async function isRunningLow(ipam: Ipam, pool: NumberPool): Promise<boolean> {
  const { used, size } = await ipam.usage(pool);
  return used >= lowFrom * size;
}
