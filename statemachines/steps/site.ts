import { isDeepStrictEqual } from "node:util";
import { hours, seconds } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import type { StepContext } from "../../core/kernel/saga/context.ts";
import {
  type Action,
  done,
  type Outcome,
  type Pending,
  pending,
  type System,
} from "../../core/kernel/saga/saga.ts";
import { dropTicket, numbersQueue } from "../../core/placement/tickets.ts";
import type { FabricOrder, Removal, Progress as Seen } from "../../core/ports/fabric/fabric.ts";
import { releaseNumbers } from "../../core/ports/ipam/own/numbers.ts";
import type { ClusterSite, SitePart } from "../../core/resources/cluster/cluster-site.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import type { PoolUse } from "../../core/resources/site/model.ts";
import { claimInTurn, noteLow } from "../../core/site/claim.ts";
import { fabricOrderOf } from "../../core/site/expected.ts";
import { isDone, type Told, withPart } from "../../core/site/parts.ts";
import { poolOf } from "../../core/site/pools.ts";
import type { SiteSystems } from "../../core/site/sites.ts";
import { changeCluster, clusterOf } from "./deployment.ts";

/** What steps at a cluster's site share. Each step has a part of the site, which says how far it is. */

/** Fabrics, DNS and storage give no news: they are asked again this often. */
export const askAgain = seconds(10);

export interface Here extends SiteSystems {
  cluster: Cluster;
  own: ClusterSite;
  /** The cluster, as the fabric is told. */
  order: FabricOrder;
}

/** The cluster at its site; undefined when its hub has none. */
export async function siteOf(context: StepContext): Promise<Here | undefined> {
  const { deps } = context;
  const cluster = await clusterOf(context);
  const { site: own } = cluster;
  if (!own) return undefined;
  const order = fabricOrderOf(cluster);
  return { ...(await deps.sites.systems(own.id)), cluster, own, order };
}

/** Writes down how far a part is; `more` goes with it in the same write. */
export async function note(
  context: StepContext,
  part: SitePart,
  told: Told | "gone",
  more: (site: ClusterSite) => ClusterSite = (site) => site,
): Promise<void> {
  await changeCluster(context, (cluster) => {
    if (!cluster.site) return undefined;
    const site = more(withPart(cluster.site, part, told, context.deps.clock.now()));
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
  async (context: StepContext): Promise<Outcome> => {
    const { site } = await clusterOf(context);
    if (!site) return done;
    const { state = "pending", message = "it is being made" } = site.parts[part] ?? {};
    if (state === "failed") throw new AppError("Rejected", message);
    return state === "done" ? done : pending(message, askAgain);
  };

/** An undo whose part is gone. */
const isGone =
  (part: SitePart) =>
  async (context: StepContext): Promise<Outcome> => {
    const left = (await clusterOf(context)).site?.parts[part];
    return left ? pending(left.message || "it to be gone", askAgain) : done;
  };

/** The do of a step that makes a part; it is made again only while it is not done. */
export const making = (
  part: SitePart,
  system: System,
  act: (context: StepContext) => Promise<void>,
  times: Pick<Action<StepContext>, "deadline" | "usually">,
): Action<StepContext> => ({
  system,
  act,
  look: async (context) => {
    if ((await clusterOf(context)).site?.parts[part]?.state !== "done") await act(context);
  },
  until: isThere(part),
  ...times,
});

/** The undo of such a step; systems outside get a day before a person is asked. */
export const takingAway = (
  part: SitePart,
  system: System,
  undo: (context: StepContext) => Promise<void>,
): Action<StepContext> => ({
  system,
  act: undo,
  look: async (context) => {
    if ((await clusterOf(context)).site?.parts[part]) await undo(context);
  },
  until: isGone(part),
  deadline: hours(24),
});

/** Takes a removal down: gone, with what goes with it, or what it waits for. */
export async function noteRemoval(
  context: StepContext,
  part: SitePart,
  removal: Removal,
): Promise<void> {
  if (removal.state === "absent") await note(context, part, "gone");
  else await note(context, part, { state: "pending", message: removal.message });
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

/** True once the cluster has its numbers; else its part says what is short, and it stands in line. */
export async function claim(context: StepContext, here: Here, holding: Holding): Promise<boolean> {
  const { deps, operation, step } = context;
  const { site, own } = here;
  if (!site.spec.network || holding.held(own).length > 0) return true;
  const claimed: number[] | Pending = await claimInTurn(deps, {
    site,
    network: site.spec.network,
    use: holding.use,
    operation,
    step,
    fence: context.fence(),
    count: holding.count,
    held: (cluster) => (cluster.site ? holding.held(cluster.site) : []),
    hold: (cluster, numbers) =>
      cluster.site ? { ...cluster, site: holding.hold(cluster.site, numbers) } : cluster,
  });
  if (Array.isArray(claimed)) return true;
  await note(context, holding.part, { state: "pending", message: claimed.waitingFor });
  return false;
}

/** Gives the cluster's numbers back, and its place in line. */
export async function giveBack(
  { deps, operation }: StepContext,
  { site }: Here,
  holding: Holding,
): Promise<void> {
  if (!site.spec.network) return;
  const pool = poolOf(site, site.spec.network, holding.use);
  const released = await releaseNumbers(deps, pool, {
    cluster: operation.spec.target.id,
    held: (cluster) => (cluster.site ? holding.held(cluster.site) : []),
    letGo: (cluster) =>
      cluster.site ? { ...cluster, site: holding.letGo(cluster.site) } : cluster,
  });
  if (released.length > 0) await noteLow(deps, site, holding.use, pool);
  await deps.store.transact([dropTicket(numbersQueue(pool.name), operation)]);
}
