import { createParser } from "eventsource-parser";
import { ask, type Query } from "../api/client.ts";
import type { Event } from "../generated/answers.ts";

/**
 * Events from the API: one watch for each person who is signed in at this browser, whatever the number of tabs. The tab
 * with the lock follows the events and sends them to the others. It resumes after the last event's id, so that none is
 * missed.
 */

/** The pause between two requests, in which events accumulate. */
const pause = 250;
const afterFault = 5000;

/** The watch's subject, and the person who follows it. */
interface Watched {
  path: string;
  query: Query;
  reader: readonly string[];
}

/** Calls `changed` with each event that the reader may see, until the signal is aborted. */
export async function watch(
  watched: Watched,
  changed: (event: Event) => void,
  signal: AbortSignal,
): Promise<void> {
  // Tabs of other people in the same browser have another lock and channel.
  const name = `slipway.events ${JSON.stringify(watched)}`;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<Event>) => changed(data);
  signal.addEventListener("abort", () => channel.close());
  const tell = (event: Event) => {
    changed(event);
    channel.postMessage(event);
  };
  await navigator.locks
    .request(name, { signal }, () => follow(watched, tell, signal))
    .catch(() => undefined);
}

async function follow(watched: Watched, tell: (event: Event) => void, signal: AbortSignal) {
  let last: string | undefined;
  while (!signal.aborted) {
    try {
      last = (await once(watched, last, tell, signal)) ?? last;
      await wait(pause);
    } catch {
      // Pages also read at intervals, and show by themselves that the API is unreachable.
      await wait(afterFault);
    }
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One request, which waits up to half a minute for events. Returns the id of the last one. */
async function once(
  { path, query }: Watched,
  from: string | undefined,
  tell: (event: Event) => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  const headers: Record<string, string> = {
    Accept: "text/event-stream",
    ...(from !== undefined && { "Last-Event-ID": from }),
  };
  const answer = await ask(path, { headers, query, signal });
  let last: string | undefined;
  const parser = createParser({
    onEvent({ id, data }) {
      last = id ?? last;
      if (data !== "") tell(JSON.parse(data) as Event);
    },
  });
  parser.feed(await answer.text());
  parser.reset({ consume: true });
  return last;
}
