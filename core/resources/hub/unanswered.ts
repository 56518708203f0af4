import { bounds, cut } from "../../bounds.ts";
import { timestamp } from "../../clock.ts";
import type { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { reachKey, unreachedPartition } from "../../kernel/object/hub-keys.ts";
import { objectKey } from "../../kernel/object/keys.ts";
import { isWritten } from "../../kernel/store/optimistically.ts";
import { all, eq, exists, lacks } from "../../kernel/store/store.ts";
import { requestSweep } from "./sweep-requests.ts";

/** Failed calls of a hub. */

/** The members of the hub's reach item from the first failure on; the item is in an index until the hub answers. */
export const unansweredFrom = (now: number, hub: string, { message }: AppError) => ({
  times: { since: timestamp(now), failed_at: timestamp(now), error: cut(message, bounds.reason) },
  listed: { g2pk: unreachedPartition, g2sk: hub },
});

/**
 * Records that a call of a hub failed after one that succeeded. It counts as a failed check, and requests a sweep.
 * Within a minute the sweep decides whether the hub is unreachable; if the hub answers, the sweep clears the time.
 */
export async function noteUnanswered(
  { store, clock }: Pick<Deps, "store" | "clock">,
  hub: string,
  error: AppError,
): Promise<void> {
  const key = reachKey(hub);
  const item = await store.get(key);
  const [at, since] = [item?.at, item?.since].map((time) =>
    typeof time === "string" ? time : undefined,
  );
  if (since === undefined) {
    const { times, listed } = unansweredFrom(clock.now(), hub, error);
    const isSame = all(at === undefined ? lacks("at") : eq("at", at), lacks("since"));
    await isWritten(store, [
      { check: objectKey("hub", hub), if: exists },
      { put: { ...key, ...(at !== undefined && { at }), ...times, ...listed }, if: isSame },
    ]);
  }
  await requestSweep(store, hub);
}
