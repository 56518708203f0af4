import * as z from "zod";
import { seconds } from "../core/clock.ts";
import { AppError, logged } from "../core/error.ts";
import { asOperationId } from "../core/id.ts";
import { dueShards } from "../core/kernel/object/keys.ts";
import { recheckDue } from "../core/kernel/saga/rechecks.ts";
import type { Shapes } from "../core/kernel/saga/settle.ts";
import type { DueDeps } from "../core/reconcile/look-after.ts";
import { sweepShard } from "../core/reconcile/sweep.ts";
import { forRequestedHubs } from "../core/resources/hub/sweep-requests.ts";
import { messagesIn, type QueuedMessage } from "./runtime/queued.ts";

/** How long a sweep of a shard starts further operations; the next sweep begins a minute after it. */
const sweepTime = seconds(40);

/** The call for one shard of the due index. */
const shardCallSchema = z.object({ shard: z.int().min(0) });
export type ShardCall = z.infer<typeof shardCallSchema>;

/** A message of the queue of rechecks. */
const recheckSchema = z.object({ operation: z.string(), step: z.string() });

/** The asynchronous calls of a sweep. */
export interface DueCalls {
  /** Sweeps a shard in another run of this function. */
  shard(call: ShardCall): Promise<void>;
  /** Sweeps a hub by the hub zone's worker. */
  hub(hub: string): Promise<void>;
}

/**
 * The function for due operations. The schedule's call starts a sweep of each shard of the due index, and of the
 * hubs with a request for an early sweep. A call for a shard sweeps it. The queue's messages name steps whose
 * recheck is due.
 */
export function due(
  deps: DueDeps,
  shapes: Shapes,
  calls: DueCalls,
): (event: unknown) => Promise<void> {
  return async (event) => {
    const messages = messagesIn(event);
    const { data: shardCall } = shardCallSchema.safeParse(event);
    if (messages) await Promise.all(messages.map((message) => recheck(deps, message)));
    else if (shardCall) await sweepShard(deps, shapes, shardCall.shard, sweepTime);
    else await sweepAll(deps, calls);
  };
}

/** A failed message is not repeated: the sweep finds the step sooner. */
async function recheck(deps: DueDeps, { messageId, body }: QueuedMessage): Promise<void> {
  try {
    const { operation, step } = recheckSchema.parse(JSON.parse(body));
    await recheckDue(deps, { operation: asOperationId(operation), step });
  } catch (thrown) {
    deps.log.warn({ messageId, ...logged(thrown) }, "a recheck failed");
  }
}

async function sweepAll(deps: DueDeps, calls: DueCalls): Promise<void> {
  const shards = Array.from({ length: dueShards }, (_, shard) => calls.shard({ shard }));
  const asked = await Promise.allSettled([...shards, forRequestedHubs(deps, calls.hub)]);
  const missed: string[] = [];
  for (const [n, part] of asked.entries()) {
    if (part.status === "fulfilled") continue;
    missed.push(n < dueShards ? `shard ${n}` : "requested hubs");
    deps.log.warn({ part: missed.at(-1), ...logged(part.reason) }, "a sweep was not begun");
  }
  if (missed.length > 0)
    throw new AppError("Unavailable", `${missed.join(", ")} could not be swept`);
}
