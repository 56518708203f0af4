import { minutes, seconds } from "../clock.ts";
import type { Deps } from "../deps.ts";
import { dropTicket } from "../kernel/claim/ticket.ts";
import { mustLoad, optimistically, refuseFenced } from "../kernel/object/records.ts";
import { changeObject } from "../kernel/object/rewrite.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import { type Pending, pending } from "../kernel/saga/saga.ts";
import type { Check } from "../kernel/store/store.ts";
import { numbersQueue, placeInNumbers, takeTicket } from "../placement/tickets.ts";
import { placeOf } from "../placement/words.ts";
import { claimNumbers, type NumberPool, type Usage, usageOf } from "../ports/ipam/own/numbers.ts";
import type { Cluster } from "../resources/cluster/model.ts";
import type { PoolUse, Site, SiteNetwork } from "../resources/site/model.ts";
import { lowFrom, poolOf, uses } from "./pools.ts";

/** Numbers of a site for an order, first come first served. */

export interface Wish {
  site: Site;
  network: SiteNetwork;
  use: PoolUse;
  operation: Operation;
  step: string;
  fence: Check[];
  count: number;
  held(cluster: Cluster): number[];
  hold(cluster: Cluster, numbers: number[]): Cluster;
}

/** How often one that is not the next in line looks by itself. */
const ownLook = minutes(1);

/** Claims, or takes a place in line and says what is short. Throws Cancelled at the fence. */
export async function claimInTurn(deps: Deps, wish: Wish): Promise<number[] | Pending> {
  const { operation, count, fence, held, hold } = wish;
  const cluster = operation.spec.target.id;
  const pool = poolOf(wish.site, wish.network, wish.use);
  const queueName = numbersQueue(pool.name);
  const mine = held(await mustLoad(deps.store, "cluster", cluster));
  if (mine.length > 0) return mine;
  const place = await placeInNumbers(deps.store, queueName, operation);
  const claim =
    place === 1
      ? await claimNumbers(deps, pool, {
          cluster,
          count,
          fence,
          held,
          hold,
          writes: [dropTicket(queueName, operation)],
        })
      : { short: await usageOf(deps, pool), next: undefined };
  if ("claimed" in claim) {
    await noteLow(deps, wish.site, wish.use, pool);
    return claim.claimed;
  }
  const ticket = {
    operation: operation.id,
    step: wish.step,
    // A queue of numbers is no hub's.
    where: { tenant: operation.metadata.tenant },
    needs: {},
  };
  await optimistically(
    deps.store,
    async () => ({
      writes: [...fence, takeTicket(queueName, operation, ticket)],
      result: undefined,
    }),
    (refusal) => refuseFenced(refusal, fence),
  );
  const again = claim.next === undefined ? ownLook : claim.next - deps.clock.now();
  return pending(inWords(wish, claim.short, place), Math.min(ownLook, Math.max(seconds(1), again)));
}

function inWords({ site, use }: Wish, { used, resting, size }: Usage, place: number): string {
  const rest = resting > 0 ? [`${resting} at rest after their last use`] : [];
  const said = [`${used} of ${size} in use`, ...rest, ...placeOf(place)];
  return `${uses[use]} of site ${site.id}: ${said.join(", ")}`;
}

/** Tells the provider, as an event of the site, when a pool gets low or is no longer. */
export async function noteLow(
  deps: Deps,
  { id }: Site,
  use: PoolUse,
  pool: NumberPool,
): Promise<void> {
  const { used, size } = await usageOf(deps, pool);
  const isLow = used >= lowFrom * size;
  const known = await mustLoad(deps.store, "site", id);
  if (known.status.low.includes(use) === isLow) return;
  await changeObject(deps, "site", id, (site) => {
    const others = site.status.low.filter((each) => each !== use);
    return { ...site, status: { ...site.status, low: isLow ? [...others, use].sort() : others } };
  });
}
