import { isDeepStrictEqual } from "node:util";
import { hours, seconds } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Holder } from "../../../core/kernel/claim/holder.ts";
import { dropTicket } from "../../../core/kernel/claim/ticket.ts";
import type { Action } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import {
  type ActionShape,
  done,
  type Outcome,
  type Pending,
  pending,
  type System,
} from "../../../core/kernel/saga/saga.ts";
import { numbersQueue } from "../../../core/placement/tickets.ts";
import type { OwnedNetwork, Removal, Progress as Seen } from "../../../core/ports/fabric/fabric.ts";
import type {
  AtSite,
  SitedKind,
  SitePart,
  SiteRecord,
} from "../../../core/resources/site/at-site.ts";
import { claimInTurn, noteLow } from "../../../core/resources/site/claim.ts";
import type { PoolUse } from "../../../core/resources/site/model.ts";
import { networkOf } from "../../../core/resources/site/owner.ts";
import { donePart, type PartStatus, withPart } from "../../../core/resources/site/parts.ts";
import { numbersOf } from "../../../core/resources/site/pools.ts";
import type { SiteSystems } from "../../../core/resources/site/sites.ts";

/** What steps at a site share, whatever kind of object is there. Each step has a part of the site, which says how far it is. */

/** Fabrics, DNS and storage give no news: they are asked again this often. */
export const askAgain = seconds(10);

/** A target at its site, with the systems there. */
export interface SiteContext extends SiteSystems {
  target: AtSite;
  record: SiteRecord;
  /** The target, as the fabric is told. */
  networkOwner: OwnedNetwork;
}

/** The target at its site; undefined for one that is at none. */
export async function siteOf(target: AtSite, { deps }: Context): Promise<SiteContext | undefined> {
  const { site: record } = target;
  if (!record) return undefined;
  const networkOwner = networkOf(target);
  return { ...(await deps.sites.systems(record.id)), target, record, networkOwner };
}

/** Writes down how far a part is; `more` goes with it in the same write. */
export async function note(
  part: SitePart,
  status: PartStatus | "gone",
  { deps, change }: StepContext<AtSite>,
  more: (site: SiteRecord) => SiteRecord = (site) => site,
): Promise<void> {
  await change((target) => {
    if (!target.site) return undefined;
    const site = more(withPart(target.site, part, status, deps.clock.now()));
    return isDeepStrictEqual(site, target.site) ? undefined : { ...target, site };
  });
}

/** What a fabric says of a thing, in terms of a part. Not there yet, or not understood, is waited for. */
export function statusOf(seen: Seen, what: string): PartStatus {
  if (seen.state === "done") return donePart;
  if (seen.state === "failed") return { state: "failed", message: `${what}: ${seen.message}` };
  return { state: "pending", message: seen.state === "absent" ? what : `${what}: ${seen.message}` };
}

/** A step whose part is done; one that failed fails the step. A target without a site has nothing to wait for. */
export const isThere =
  (part: SitePart) =>
  ({ site }: AtSite): Outcome => {
    if (!site) return done;
    const { state = "pending", message = "it is being made" } = site.parts[part] ?? {};
    if (state === "failed") throw new AppError("Rejected", message);
    return state === "done" ? done : pending(message, askAgain);
  };

/** An undo whose part is gone. */
const isGone =
  (part: SitePart) =>
  ({ site }: AtSite): Outcome => {
    const left = site?.parts[part];
    return left ? pending(left.message || "it to be gone", askAgain) : done;
  };

/** The do of a step that makes a part; it is made again only while it is not done. */
export const ensurePart = <T extends AtSite>(
  part: SitePart,
  system: System,
  act: (target: T, context: StepContext<T>) => Promise<void>,
  times: Pick<ActionShape, "deadline" | "usually">,
): Action<T> => ({
  system,
  act,
  look: async (target, context) => {
    if (target.site?.parts[part]?.state !== "done") await act(target, context);
  },
  until: isThere(part),
  ...times,
});

/** The undo of such a step; systems outside get a day before a person is asked. */
export const removePart = <T extends AtSite>(
  part: SitePart,
  system: System,
  undo: (target: T, context: StepContext<T>) => Promise<void>,
): Action<T> => ({
  system,
  act: undo,
  look: async (target, context) => {
    if (target.site?.parts[part]) await undo(target, context);
  },
  until: isGone(part),
  deadline: hours(24),
});

/** Takes a removal down: gone, with what goes with it, or what it waits for. */
export async function noteRemoval(
  part: SitePart,
  removal: Removal,
  context: StepContext<AtSite>,
): Promise<void> {
  if (removal.state === "absent") await note(part, "gone", context);
  else await note(part, { state: "pending", message: removal.message }, context);
}

/** How a record at a site holds the numbers of each pool. */
interface Holding {
  use: PoolUse;
  part: SitePart;
  count: number;
  held(site: SiteRecord): number[];
  hold(site: SiteRecord, numbers: number[]): SiteRecord;
  letGo(site: SiteRecord): SiteRecord;
}

const holderOf = ({ kind, id }: AtSite, holding: Holding): Holder<SitedKind> => ({
  kind,
  id,
  held: ({ site }) => (site ? holding.held(site) : []),
  hold: (object, numbers) =>
    object.site ? { ...object, site: holding.hold(object.site, numbers) } : object,
  letGo: (object) => (object.site ? { ...object, site: holding.letGo(object.site) } : object),
});

/**
 * What the target has at its site with its numbers; undefined while its part says what is short, and it
 * stands in line.
 */
export async function claim(
  { site, record, target }: SiteContext,
  holding: Holding,
  context: StepContext<AtSite>,
): Promise<SiteRecord | undefined> {
  const { deps, operation, step } = context;
  const numbers = numbersOf(deps, site);
  if (!numbers || holding.held(record).length > 0) return record;
  const claimed: number[] | Pending = await claimInTurn(deps, {
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

/** Gives the target's numbers back, and its place in line. */
export async function giveBack(
  { target, site }: SiteContext,
  holding: Holding,
  { deps, operation }: StepContext<AtSite>,
): Promise<void> {
  const numbers = numbersOf(deps, site);
  if (!numbers) return;
  const pool = numbers.pools[holding.use];
  const released = await numbers.ipam.release(pool, holderOf(target, holding));
  if (released.length > 0) await noteLow(deps, site, holding.use, numbers);
  await deps.store.transact([dropTicket(numbersQueue(pool.name), operation)]);
}
