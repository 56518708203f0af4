import { AppError } from "../../error.ts";
import { type Check, type Store, TransactionRefused, type Write } from "./store.ts";

/** How often an optimistic change is retried. */
export interface Patience {
  /** The number of attempts after the first. */
  retries: number;
  /** The error after the last try. */
  exhausted(cause: TransactionRefused): AppError;
}

const usualPatience: Patience = {
  retries: 20,
  exhausted: (cause) =>
    new AppError("Conflict", "too many others are changing this; try again", { cause }),
};

/**
 * Reads and writes again until nobody else has written in between. `attempt` reads what it needs, throws to refuse, and
 * answers its result with the writes; no writes if there is nothing to do. A refused transaction is tried again from
 * the read; `refused` may throw an error instead.
 */
export async function optimistically<T>(
  store: Pick<Store, "transact">,
  attempt: () => Promise<{ writes: Write[]; result: T }>,
  refused: (refusal: TransactionRefused, writes: Write[]) => void = () => {},
  { retries, exhausted }: Patience = usualPatience,
): Promise<T> {
  for (let n = 0; ; n++) {
    const { writes, result } = await attempt();
    if (writes.length === 0) return result;
    try {
      await store.transact(writes);
      return result;
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      refused(error, writes);
      if (n === retries) throw exhausted(error);
    }
  }
}

/**
 * `optimistically` under a fence, whose checks come first in each transaction. Throws Cancelled when the fence does not
 * hold.
 */
export function optimisticallyFenced<T>(
  store: Store,
  fence: Check[],
  attempt: () => Promise<{ writes: Write[]; result: T }>,
  patience?: Patience,
): Promise<T> {
  return optimistically(
    store,
    async () => {
      const { writes, result } = await attempt();
      return { writes: writes.length === 0 ? [] : [...fence, ...writes], result };
    },
    (refusal) => refuseFenced(refusal, fence),
    patience,
  );
}

/** Throws Cancelled when the transaction was refused because of its fence, whose checks come first. */
export function refuseFenced({ reasons }: TransactionRefused, fence: Check[]): void {
  if (reasons.slice(0, fence.length).some((reason) => reason !== undefined)) throw turnedBack();
}

/** Throws Cancelled when the fence does not hold; for changes outside of the store. */
export async function mustHold(store: Pick<Store, "transact">, fence: Check[]): Promise<void> {
  if (fence.length > 0 && !(await isWritten(store, fence))) throw turnedBack();
}

const turnedBack = () => new AppError("Cancelled", "the operation has turned back");

/** Writes if all conditions hold, and answers whether they did. */
export async function isWritten(store: Pick<Store, "transact">, writes: Write[]): Promise<boolean> {
  try {
    await store.transact(writes);
    return true;
  } catch (error) {
    if (error instanceof TransactionRefused) return false;
    throw error;
  }
}
