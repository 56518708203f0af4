import { minutes } from "../clock.ts";
import { logged } from "../error.ts";
import type { Deps } from "./deps.ts";

/** A queue of messages with delays. */
export interface DelayQueue<Message> {
  /**
   * Queues a message to be handled after this many milliseconds. It may be handled late, never or more than once.
   * Throws Unavailable.
   */
  put(message: Message, after: number): Promise<void>;
}

/** The longest delay of a message. */
export const longestDelay = minutes(15);

/**
 * Queues a message for this time, in milliseconds. A sweep handles messages that are due after the longest delay, and
 * those that the queue refuses, so that neither blocks the rest of the stream.
 */
export async function queueFor<Message extends object>(
  { clock, log }: Pick<Deps, "clock" | "log">,
  queue: DelayQueue<Message>,
  time: number,
  message: Message,
): Promise<void> {
  const wait = Math.max(0, time - clock.now());
  if (wait > longestDelay) return;
  try {
    await queue.put(message, wait);
  } catch (thrown) {
    log.warn({ ...message, ...logged(thrown) }, "a message is left to the sweep");
  }
}
