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
 * given back at its end, and free by itself a little later when the process has died. The slots of a
 * user are numbered, so two watches that begin together cannot take the same one. The limits of a
 * tenant and of everybody are counted before the claim, so watches that begin together may be a few
 * more; the function's reserved concurrency is above them.
 */

/** Watches that may wait at a time. */
export interface WatchLimits {
  everybody: number;
  tenant: number;
  user: number;
}

/** Milliseconds that a watch waits; shorter where others may want its slot. */
const patience = { usual: 25_000, busy: 5_000 };
/** Milliseconds that a watch takes at most beside its wait. */
const margin = 5_000;

export interface WatchSlot {
  /** Milliseconds that the watch may wait. */
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
  /** When it is free again at the latest, in milliseconds. */
  until: number;
}

/**
 * Lets somebody wait for events. Throws RateLimited when the user or the tenant has as many watches
 * as it may have, `Unavailable` when everybody together has.
 */
export async function claimWatchSlot(deps: SlotDeps, watcher: Watcher): Promise<WatchSlot> {
  const { store, wall, watchLimits: limits } = deps;
  if (!limits) return { patience: patience.usual, release: async () => {} };
  const token = deps.newId();
  // Each refusal is another watch of the same user that took the slot.
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

/** The slots that are in the store, those of processes that died among them. */
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

/** The user's own limit first: who has too many must not be told that others have. */
function refuseFull(held: Held[], watcher: Watcher, { limits, now, random }: Situation): void {
  const ofTenant = held.filter(({ tenant }) => tenant === watcher.tenant);
  const ofUser = ofTenant.filter(({ user }) => user === watcher.user);
  if (ofUser.length >= limits.user) throw tooMany("user", limits.user, secondsToFree(ofUser, now));
  if (ofTenant.length >= limits.tenant)
    throw tooMany("tenant", limits.tenant, secondsToFree(ofTenant, now));
  if (held.length < limits.everybody) return;
  // Those who are refused together must not all come back together.
  const retryAfter = 5 + Math.floor(10 * random());
  throw new AppError("Unavailable", "too many watches wait now", { retryAfter });
}

const tooMany = (whose: "user" | "tenant", limit: number, retryAfter: number): AppError =>
  new AppError("RateLimited", `too many watches of a ${whose}: ${limit} may wait at a time`, {
    retryAfter,
  });

/** Until the first of them has waited for as long as it may. */
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
  // The token: a request that the store's client repeats finds what it has written itself.
  const isFree = any(absent, compare("until", "le", now), eq("token", token));
  try {
    await store.transact([{ put, if: isFree }]);
    return true;
  } catch (error) {
    if (error instanceof TransactionRefused) return false;
    throw error;
  }
}

/** A slot that cannot be given back now frees itself soon, so the answer does not fail for it. */
async function release(store: Store, slot: Held, token: string): Promise<void> {
  await store.transact([{ delete: keyOf(slot), if: eq("token", token) }]).catch(() => undefined);
}

declare module "../deps.ts" {
  interface Deps {
    /** How many requests may wait for events at a time; no limit by default. */
    watchLimits?: WatchLimits;
  }
}
