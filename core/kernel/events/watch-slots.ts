import { AppError } from "../../error.ts";
import { claimSlot, firstFree, releaseSlot, slotsHeld } from "../claim/slot.ts";
import type { Deps } from "../deps.ts";
import { watchSlotKey, watchSlotPartition } from "../object/keys.ts";
import type { Key, Store } from "../store/store.ts";

/**
 * An open watch holds a process of its own on Lambda, so slots in the store limit the number of open watches. A
 * slot is claimed when a watch begins to wait, and released at its end. The slots of a user are numbered. The
 * watches of a tenant, and of all tenants, are counted before the claim, so watches that begin at the same time
 * may exceed these limits a little; the function's reserved concurrency is higher.
 */

/** The limits of watches that are open at a time. */
export interface WatchLimits {
  everybody: number;
  tenant: number;
  user: number;
}

/** How long a watch waits, in milliseconds; `busy` applies when others may need its slot. */
const patience = { usual: 25_000, busy: 5_000 };
/** The longest time of a watch besides its wait, in milliseconds. */
const margin = 5_000;

export interface WatchSlot {
  /** How long the watch may wait, in milliseconds. */
  patience: number;
  release(): Promise<void>;
}

type SlotDeps = Pick<Deps, "store" | "wall" | "newId" | "random" | "watchLimits">;

interface Watcher {
  tenant: string;
  user: string;
}

interface Held extends Watcher {
  number: number;
  /** When the slot becomes free at the latest, in milliseconds. */
  until: number;
}

/**
 * Claims a slot for a watch. Throws RateLimited when the user or the tenant has reached its limit of
 * watches, `Unavailable` when all tenants together have.
 */
export async function claimWatchSlot(deps: SlotDeps, watcher: Watcher): Promise<WatchSlot> {
  const { store, wall, watchLimits: limits } = deps;
  if (!limits) return { patience: patience.usual, release: async () => {} };
  const token = deps.newId();
  // A refusal means that another watch of the same user has claimed the slot.
  for (let tried = 0; tried <= limits.user; tried++) {
    const now = wall.now();
    const held = await watching(store, now);
    refuseFull(held, watcher, { limits, now, random: deps.random });
    const mine = held.filter((slot) => isOf(slot, watcher)).map(({ number }) => number);
    const number = firstFree(mine);
    const isBusy = 2 * (held.length + 1) > limits.everybody;
    const wait = isBusy ? patience.busy : patience.usual;
    const slot: Held = { ...watcher, number, until: now + wait + margin };
    const { until, ...facts } = slot;
    const key = keyOf(slot);
    if (await claimSlot(store, key, { token, now, until }, facts))
      return { patience: wait, release: () => releaseSlot(store, key, token) };
  }
  throw tooMany("user", limits.user, 1);
}

async function watching(store: Store, now: number): Promise<Held[]> {
  const items = await slotsHeld(store, watchSlotPartition, now);
  return items.map(({ tenant, user, number, until }) => ({
    tenant: String(tenant),
    user: String(user),
    number: Number(number),
    until: Number(until),
  }));
}

const isOf = (slot: Held, { tenant, user }: Watcher): boolean =>
  slot.tenant === tenant && slot.user === user;

interface Situation {
  limits: WatchLimits;
  now: number;
  random: Deps["random"];
}

/**
 * Checks the user's own limit first, so that a user at that limit does not learn whether other tenants have
 * reached theirs.
 */
function refuseFull(held: Held[], watcher: Watcher, { limits, now, random }: Situation): void {
  const ofTenant = held.filter(({ tenant }) => tenant === watcher.tenant);
  const ofUser = ofTenant.filter(({ user }) => user === watcher.user);
  if (ofUser.length >= limits.user) throw tooMany("user", limits.user, secondsToFree(ofUser, now));
  if (ofTenant.length >= limits.tenant)
    throw tooMany("tenant", limits.tenant, secondsToFree(ofTenant, now));
  if (held.length < limits.everybody) return;
  // Spreads the retries of watches that are refused together.
  const retryAfter = 5 + Math.floor(10 * random());
  throw new AppError("Unavailable", "too many watches wait now", { retryAfter });
}

const tooMany = (whose: "user" | "tenant", limit: number, retryAfter: number): AppError =>
  new AppError("RateLimited", `too many watches of a ${whose}: ${limit} may wait at a time`, {
    retryAfter,
  });

/** Seconds until the first slot expires. */
const secondsToFree = (held: Held[], now: number): number =>
  Math.max(1, Math.ceil((Math.min(...held.map(({ until }) => until)) - margin - now) / 1000));

const keyOf = ({ tenant, user, number }: Held): Key => watchSlotKey(tenant, user, number);

declare module "../deps.ts" {
  interface Deps {
    /** The limit of requests that wait for events at a time; unlimited by default. */
    watchLimits?: WatchLimits;
  }
}
