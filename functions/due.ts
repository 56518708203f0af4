import * as z from "zod";
import { seconds } from "../core/clock.ts";
import { AppError, logged } from "../core/error.ts";
import { asOperationId } from "../core/id.ts";
import type { Publishing } from "../core/kernel/events/publish.ts";
import { dueShards } from "../core/kernel/object/keys.ts";
import { recheckDue } from "../core/kernel/saga/rechecks.ts";
import type { Shapes } from "../core/kernel/saga/settle.ts";
import { sweepShard } from "../core/reconcile/sweep.ts";
import { forRequestedHubs } from "../core/resources/hub/sweep-requests.ts";
import { messagesIn, type QueuedMessage } from "./runtime/queued.ts";

/** For how long a sweep of a shard takes up further operations. The next comes a minute after it. */
const sweepTime = seconds(40);

/** The call for one shard of the due index. */
const shardCallSchema = z.object({ shard: z.int().min(0) });
export type ShardCall = z.infer<typeof shardCallSchema>;

/** A message of the queue of rechecks. */
const recheckSchema = z.object({ operation: z.string(), step: z.string() });

/** The calls that a sweep makes, without waiting for their ends. */
export interface DueCalls {
  /** Has this function sweep a shard, in a run of its own. */
  shard(call: ShardCall): Promise<void>;
  /** Has the worker of the hub zone sweep a hub. */
  hub(hub: string): Promise<void>;
}

/**
 * The function for due operations. The schedule's call has each shard of the due index swept, and the
 * hubs that somebody asked to have swept early. A call for a shard sweeps it. The queue's messages are
 * steps whose time to be looked at has come.
 */
export function due(
  deps: Publishing,
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

/** A message that fails does not come again: the sweep finds the step sooner. */
async function recheck(deps: Publishing, { messageId, body }: QueuedMessage): Promise<void> {
  try {
    const { operation, step } = recheckSchema.parse(JSON.parse(body));
    await recheckDue(deps, { operation: asOperationId(operation), step });
  } catch (thrown) {
    deps.log.warn({ messageId, ...logged(thrown) }, "a recheck failed");
  }
}

async function sweepAll(deps: Publishing, calls: DueCalls): Promise<void> {
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
