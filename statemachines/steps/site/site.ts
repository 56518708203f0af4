import { isDeepStrictEqual } from "node:util";
import type {
  AtSite,
  PlaceRecord,
  SitedKind,
  SitePart,
  SiteRecord,
} from "../../../core/at-site/at-site.ts";
import { claimQueued, noteLow } from "../../../core/at-site/claim.ts";
import { networkOf } from "../../../core/at-site/owner.ts";
import { donePart, type PartStatus, placeRecord, withPart } from "../../../core/at-site/parts.ts";
import { numbersOf } from "../../../core/at-site/pools.ts";
import type { PoolUse } from "../../../core/at-site/site.ts";
import type { SiteSystems } from "../../../core/at-site/sites.ts";
import { hours, seconds } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Holder } from "../../../core/kernel/claim/holder.ts";
import { dropTickets } from "../../../core/kernel/claim/ticket.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext, StepDeps } from "../../../core/kernel/saga/context.ts";
import {
  type ActionShape,
  done,
  type Outcome,
  type Pending,
  pending,
  type System,
} from "../../../core/kernel/saga/saga.ts";
import { numbersQueue } from "../../../core/placement/queues/tickets.ts";
import type {
  OwnedNetwork,
  Removal,
  ObjectState as Seen,
} from "../../../core/ports/fabric/fabric.ts";
import { pause } from "../pace.ts";
import { underFence } from "../under-fence.ts";

/**
 * Shared by the steps at a site, and by those that create tenants' networks at a site or on a hub, for any kind.
 * Each step works on one part, which records its progress.
 */

/** How often fabric, DNS and storage are polled for a removal: they send no reports. */
export const askAgain = seconds(10);

/** How often they are polled for a new part; most parts take seconds. */
const ofParts = { first: seconds(2), longest: seconds(60) };

/** A target at its site, with the systems there. */
export interface SiteContext extends SiteSystems {
  target: AtSite;
  record: SiteRecord;
  /** The target as the owner of its network on the fabric. */
  networkOwner: OwnedNetwork;
}

/** The target at its site; undefined for a target without a site. */
export async function siteOf(
  target: AtSite,
  { deps }: Context<StepDeps>,
): Promise<SiteContext | undefined> {
  const { site: record } = target;
  if (!record) return undefined;
  const networkOwner = networkOf(target);
  const { dhcp, ...systems } = await deps.sites.systems(record.id);
  // In a tenant's subnet the fabric is the DHCP server.
  const own = dhcp && !target.stands_in ? { dhcp } : {};
  return { ...systems, ...own, target, record, networkOwner };
}

/** Writes the progress of a part, with `more` in the same write. */
export async function note(
  part: SitePart,
  status: PartStatus | "gone",
  { deps, change }: StepContext<AtSite>,
  more: (site: SiteRecord) => SiteRecord = (site) => site,
): Promise<void> {
  const noted = <P extends PlaceRecord>(place: P) =>
    withPart(place, part, status, deps.clock.now());
  await change((target) => {
    const { site, hub } = target;
    const after = {
      ...target,
      ...(site && { site: more(noted(site)) }),
      ...(hub && { hub: noted(hub) }),
    };
    return isDeepStrictEqual(after, target) ? undefined : after;
  });
}

/**
 * Records the begin of a part before the first effect, so that the undo finds it after a crash. A part in progress
 * keeps its message.
 */
export async function noteBegun(
  part: SitePart,
  message: string,
  target: AtSite,
  context: StepContext<AtSite>,
): Promise<void> {
  if (placeRecord(target)?.parts[part]?.state !== "pending")
    await note(part, { state: "pending", message }, context);
}

/** The status of a part by its state on the fabric; an absent or unknown state means waiting. */
export function siteStatusOf(seen: Seen, what: string): PartStatus {
  if (seen.state === "done") return donePart;
  if (seen.state === "failed") return { state: "failed", message: `${what}: ${seen.message}` };
  return { state: "pending", message: seen.state === "absent" ? what : `${what}: ${seen.message}` };
}

/**
 * An `until` that waits for a part; a failed part fails the step. A target without a site or hub waits for nothing.
 */
export const isThere =
  (part: SitePart, pace = ofParts) =>
  (target: AtSite, context: Context): Outcome => {
    const place = placeRecord(target);
    if (!place) return done;
    const { state = "pending", message = "the part to be made" } = place.parts[part] ?? {};
    if (state === "failed") throw new AppError("Rejected", message);
    return state === "done" ? done : pending(message, pause(context, pace));
  };

/** An `until` that waits for a part to be gone. */
const isGone =
  (part: SitePart) =>
  (target: AtSite): Outcome => {
    const left = placeRecord(target)?.parts[part];
    return left ? pending(left.message || "the part to be removed", askAgain) : done;
  };

/** The do of a step that creates a part, repeated until the part is done. */
export const ensurePart = <T extends AtSite>(
  part: SitePart,
  system: System,
  act: (target: T, context: StepContext<T>) => Promise<void>,
  times: Pick<ActionShape, "deadline" | "usually">,
): StepAction<T> => ({
  system,
  act,
  look: async (target, context) => {
    if (placeRecord(target)?.parts[part]?.state !== "done") await act(target, context);
  },
  looksLater: true,
  until: isThere(part),
  ...times,
});

/** The undo of a step that creates a part. Outside systems get a day before operator action is required. */
export const removePart = <T extends AtSite>(
  part: SitePart,
  system: System,
  undo: (target: T, context: StepContext<T>) => Promise<void>,
): StepAction<T> => ({
  system,
  act: undo,
  look: async (target, context) => {
    if (placeRecord(target)?.parts[part]) await undo(target, context);
  },
  looksLater: true,
  until: isGone(part),
  deadline: hours(24),
});

/** Records the result of a removal: the part and its numbers are gone, or what the removal waits for. */
export async function noteRemoval(
  part: SitePart,
  removal: Removal,
  context: StepContext<AtSite>,
): Promise<void> {
  if (removal.state === "absent") await note(part, "gone", context);
  else await note(part, { state: "pending", message: removal.message }, context);
}

/** How a site record holds the numbers of each pool. */
interface Holding {
  use: PoolUse;
  part: SitePart;
  count: number;
  held(site: SiteRecord): number[];
  hold(site: SiteRecord, numbers: number[]): SiteRecord;
  release(site: SiteRecord): SiteRecord;
}

const holderOf = ({ kind, id }: AtSite, holding: Holding): Holder<SitedKind> => ({
  kind,
  id,
  held: ({ site }) => (site ? holding.held(site) : []),
  hold: (object, numbers) =>
    object.site ? { ...object, site: holding.hold(object.site, numbers) } : object,
  release: (object) => (object.site ? { ...object, site: holding.release(object.site) } : object),
});

/**
 * Claims numbers for the target, and answers the target with them. A site's allocator is asked even if the
 * target has its numbers, because an interrupted claim may be missing there. Undefined while a pool is empty:
 * then the part says so, and the target waits in the pool's queue.
 */
export async function claim(
  { site, allocator, record, target }: SiteContext,
  holding: Holding,
  context: StepContext<AtSite>,
): Promise<SiteRecord | undefined> {
  const { deps, operation, step } = context;
  const numbers = numbersOf(deps, site, allocator);
  if (!numbers || (!allocator && holding.held(record).length > 0)) return record;
  const claimed: number[] | Pending = await claimQueued(deps, {
    site,
    numbers,
    use: holding.use,
    holder: holderOf(target, holding),
    count: holding.count,
    operation,
    step,
    fence: context.fence(),
  });
  if (Array.isArray(claimed)) return (await context.latest()).site;
  await note(holding.part, { state: "pending", message: claimed.waitingFor }, context);
  return undefined;
}

/** Releases the numbers of a removed part, and drops the ticket. The same write records the removal. */
export async function releaseWithPart(
  here: SiteContext,
  holding: Holding,
  context: StepContext<AtSite>,
): Promise<void> {
  const now = context.deps.clock.now();
  const release = (site: SiteRecord) => withPart(holding.release(site), holding.part, "gone", now);
  await releaseSiteNumbers(here, { ...holding, release }, context);
}

/**
 * Releases the target's numbers, and drops its ticket. With `seen`, only if the target still has these numbers:
 * another attempt may have claimed others meanwhile.
 */
export async function releaseSiteNumbers(
  { target, site, allocator }: SiteContext,
  holding: Holding,
  context: StepContext<AtSite>,
  seen?: readonly number[],
): Promise<void> {
  const { deps, operation } = context;
  const numbers = numbersOf(deps, site, allocator);
  if (!numbers) return;
  const pool = numbers.pools[holding.use];
  const conditions = { fence: context.fence(), ...(seen && { seen }) };
  const released = await numbers.ipam.release(pool, holderOf(target, holding), conditions);
  if (released.length > 0) await noteLow(deps, site, holding.use, numbers);
  // This attempt is the newest, so no other one takes a ticket.
  await underFence(context, await dropTickets(deps.store, [numbersQueue(pool.name)], operation));
}
