import { AppError } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { watchSlotKey, watchSlotPartition } from "../object/keys.ts";
import { pagesIn } from "../store/pages.ts";
import {
  absent,
  any,
  compare,
  eq,
  type Item,
  type Key,
  type Store,
  TransactionRefused,
} from "../store/store.ts";

/**
 * A watch that waits holds a process of its own on Lambda, so how many wait at a time is limited in the
 * store, which all processes share. A slot is an item: it is claimed when a watch begins to wait,
 * released at its end, and expires a little later if the process has died. The slots of a user are
 * numbered, so two watches that begin together cannot take the same one. The watches of a tenant, and
 * of all tenants, are counted before the claim, so watches that begin together may exceed these limits
 * a little; the function's reserved concurrency is above them.
 */

/** The most watches that may wait at a time. */
export interface WatchLimits {
  everybody: number;
  tenant: number;
  user: number;
}

/** How long a watch waits, in milliseconds; `busy` applies while others may want its slot. */
const patience = { usual: 25_000, busy: 5_000 };
/** How long a watch takes at most beside its wait, in milliseconds. */
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
  /** When the slot is free again at the latest, in milliseconds. */
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
  // A refusal means that another watch of the same user took the slot.
  for (let tried = 0; tried <= limits.user; tried++) {
    const now = wall.now();
    const held = (await heldSlots(store)).filter(({ until }) => until > now);
    refuseFull(held, watcher, { limits, now, random: deps.random });
    const mine = held.filter((slot) => isOf(slot, watcher)).map(({ number }) => number);
    const number = firstMissing(mine);
    const isBusy = 2 * (held.length + 1) > limits.everybody;
    const wait = isBusy ? patience.busy : patience.usual;
    const slot: Held = { ...watcher, number, until: now + wait + margin };
    if (await isClaimed(store, slot, { token, now }))
      return { patience: wait, release: () => release(store, slot, token) };
  }
  throw tooMany("user", limits.user, 1);
}

/** The slots in the store, including those of processes that died. */
async function heldSlots(store: Store): Promise<Held[]> {
  const items: Item[] = [];
  for await (const page of pagesIn(store, { pk: watchSlotPartition })) items.push(...page);
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

/** Checks the user's own limit first: a user at that limit must not be told that others have too many. */
function refuseFull(held: Held[], watcher: Watcher, { limits, now, random }: Situation): void {
  const ofTenant = held.filter(({ tenant }) => tenant === watcher.tenant);
  const ofUser = ofTenant.filter(({ user }) => user === watcher.user);
  if (ofUser.length >= limits.user) throw tooMany("user", limits.user, secondsToFree(ofUser, now));
  if (ofTenant.length >= limits.tenant)
    throw tooMany("tenant", limits.tenant, secondsToFree(ofTenant, now));
  if (held.length < limits.everybody) return;
  // Spreads the next tries of watches that are refused together.
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

function firstMissing(numbers: number[]): number {
  for (let number = 0; ; number++) if (!numbers.includes(number)) return number;
}

const keyOf = ({ tenant, user, number }: Held): Key => watchSlotKey(tenant, user, number);

async function isClaimed(
  store: Store,
  slot: Held,
  { token, now }: { token: string; now: number },
): Promise<boolean> {
  const put = { ...keyOf(slot), ...slot, token, expires: Math.ceil(slot.until / 1000) };
  // The token makes the claim repeatable: the store's client may send it again after it has succeeded.
  const isFree = any(absent, compare("until", "le", now), eq("token", token));
  try {
    await store.transact([{ put, if: isFree }]);
    return true;
  } catch (error) {
    if (error instanceof TransactionRefused) return false;
    throw error;
  }
}

/** A slot that cannot be released now expires soon, so the answer does not fail because of it. */
async function release(store: Store, slot: Held, token: string): Promise<void> {
  await store.transact([{ delete: keyOf(slot), if: eq("token", token) }]).catch(() => undefined);
}

declare module "../deps.ts" {
  interface Deps {
    /** The most requests that may wait for events at a time; no limit by default. */
    watchLimits?: WatchLimits;
  }
}
