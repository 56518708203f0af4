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
import type { ClusterSite, SitePart } from "../../../core/resources/cluster/cluster-site.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { networkOf } from "../../../core/resources/cluster/owner.ts";
import type { PoolUse } from "../../../core/resources/site/model.ts";
import { claimInTurn, noteLow } from "../../../core/site/claim.ts";
import { isDone, type Told, withPart } from "../../../core/site/parts.ts";
import { numbersOf } from "../../../core/site/pools.ts";
import type { SiteSystems } from "../../../core/site/sites.ts";

/** What steps at a cluster's site share. Each step has a part of the site, which says how far it is. */

/** Fabrics, DNS and storage give no news: they are asked again this often. */
export const askAgain = seconds(10);

export interface Here extends SiteSystems {
  cluster: Cluster;
  own: ClusterSite;
  /** The cluster, as the fabric is told. */
  order: OwnedNetwork;
}

/** The cluster at its site; undefined when its hub has none. */
export async function siteOf(cluster: Cluster, { deps }: Context): Promise<Here | undefined> {
  const { site: own } = cluster;
  if (!own) return undefined;
  const order = networkOf(cluster);
  return { ...(await deps.sites.systems(own.id)), cluster, own, order };
}

/** Writes down how far a part is; `more` goes with it in the same write. */
export async function note(
  part: SitePart,
  told: Told | "gone",
  { deps, change }: StepContext<Cluster>,
  more: (site: ClusterSite) => ClusterSite = (site) => site,
): Promise<void> {
  await change((cluster) => {
    if (!cluster.site) return undefined;
    const site = more(withPart(cluster.site, part, told, deps.clock.now()));
    return isDeepStrictEqual(site, cluster.site) ? undefined : { ...cluster, site };
  });
}

/** What a fabric says of a thing, in terms of a part. Not there yet, or not understood, is waited for. */
export function toldBy(seen: Seen, what: string): Told {
  if (seen.state === "done") return isDone;
  if (seen.state === "failed") return { state: "failed", message: `${what}: ${seen.message}` };
  return { state: "pending", message: seen.state === "absent" ? what : `${what}: ${seen.message}` };
}

/** A step whose part is done; one that failed fails the step. A cluster without a site has nothing to wait for. */
export const isThere =
  (part: SitePart) =>
  ({ site }: Cluster): Outcome => {
    if (!site) return done;
    const { state = "pending", message = "it is being made" } = site.parts[part] ?? {};
    if (state === "failed") throw new AppError("Rejected", message);
    return state === "done" ? done : pending(message, askAgain);
  };

/** An undo whose part is gone. */
const isGone =
  (part: SitePart) =>
  ({ site }: Cluster): Outcome => {
    const left = site?.parts[part];
    return left ? pending(left.message || "it to be gone", askAgain) : done;
  };

/** The do of a step that makes a part; it is made again only while it is not done. */
export const making = (
  part: SitePart,
  system: System,
  act: (cluster: Cluster, context: StepContext<Cluster>) => Promise<void>,
  times: Pick<ActionShape, "deadline" | "usually">,
): Action<Cluster> => ({
  system,
  act,
  look: async (cluster, context) => {
    if (cluster.site?.parts[part]?.state !== "done") await act(cluster, context);
  },
  until: isThere(part),
  ...times,
});

/** The undo of such a step; systems outside get a day before a person is asked. */
export const takingAway = (
  part: SitePart,
  system: System,
  undo: (cluster: Cluster, context: StepContext<Cluster>) => Promise<void>,
): Action<Cluster> => ({
  system,
  act: undo,
  look: async (cluster, context) => {
    if (cluster.site?.parts[part]) await undo(cluster, context);
  },
  until: isGone(part),
  deadline: hours(24),
});

/** Takes a removal down: gone, with what goes with it, or what it waits for. */
export async function noteRemoval(
  part: SitePart,
  removal: Removal,
  context: StepContext<Cluster>,
): Promise<void> {
  if (removal.state === "absent") await note(part, "gone", context);
  else await note(part, { state: "pending", message: removal.message }, context);
}

/** How a cluster holds the numbers of each pool. */
interface Holding {
  use: PoolUse;
  part: SitePart;
  count: number;
  held(site: ClusterSite): number[];
  hold(site: ClusterSite, numbers: number[]): ClusterSite;
  letGo(site: ClusterSite): ClusterSite;
}

const holderOf = ({ id }: Cluster, holding: Holding): Holder<"cluster"> => ({
  kind: "cluster",
  id,
  held: ({ site }) => (site ? holding.held(site) : []),
  hold: (cluster, numbers) =>
    cluster.site ? { ...cluster, site: holding.hold(cluster.site, numbers) } : cluster,
  letGo: (cluster) => (cluster.site ? { ...cluster, site: holding.letGo(cluster.site) } : cluster),
});

/** What it has with its numbers; undefined while its part says what is short, and it stands in line. */
export async function claim(
  { site, own, cluster }: Here,
  holding: Holding,
  context: StepContext<Cluster>,
): Promise<ClusterSite | undefined> {
  const { deps, operation, step } = context;
  const numbers = numbersOf(deps, site);
  if (!numbers || holding.held(own).length > 0) return own;
  const claimed: number[] | Pending = await claimInTurn(deps, {
    site,
    numbers,
    use: holding.use,
    holder: holderOf(cluster, holding),
    count: holding.count,
    operation,
    step,
    fence: context.fence(),
  });
  if (Array.isArray(claimed)) return (await context.latest()).site;
  await note(holding.part, { state: "pending", message: claimed.waitingFor }, context);
  return undefined;
}

/** Gives the cluster's numbers back, and its place in line. */
export async function giveBack(
  { cluster, site }: Here,
  holding: Holding,
  { deps, operation }: StepContext<Cluster>,
): Promise<void> {
  const numbers = numbersOf(deps, site);
  if (!numbers) return;
  const pool = numbers.pools[holding.use];
  const released = await numbers.ipam.release(pool, holderOf(cluster, holding));
  if (released.length > 0) await noteLow(deps, site, holding.use, numbers);
  await deps.store.transact([dropTicket(numbersQueue(pool.name), operation)]);
}
