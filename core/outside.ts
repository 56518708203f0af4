import { AsyncLocalStorage } from "node:async_hooks";

/** A system outside, in the words that people read. */
export interface Outside {
  /** The sort of system, such as `hub`. */
  system: string;
  /** Which one of the sort, such as a hub's id; tenants do not see it. */
  instance?: string;
}

/** What is known of a call of a system outside. */
export interface OutsideCall {
  /** The system in messages, such as "the DNS server". */
  words?: string;
  /** Method and object, such as `PATCH hostedclusters/demo`; tenants do not see it. */
  call?: string;
  from?: Outside;
  /** The HTTP status of the answer, once there is one. */
  status?: number;
}

/** Called when a call begins; answers what is called at its end, with the error if it failed. */
export type CallWatch = (call: OutsideCall) => (error?: unknown) => void;

const watching = new AsyncLocalStorage<{ watches: CallWatch[]; around: OutsideCall }>();
const unwatched = { watches: [], around: {} };

/** Runs `work`, and tells `watch` of the calls that it makes. Who watches around it is told as well. */
export function watched<T>(watch: CallWatch, work: () => T): T {
  const { watches, around } = watching.getStore() ?? unwatched;
  return watching.run({ watches: [...watches, watch], around }, work);
}

/**
 * Makes a call that whoever watches knows of: every adapter makes its calls by this, or by `ask`. A call within
 * another one is told with what is known of both.
 */
export async function called<T>(
  known: OutsideCall,
  make: (call: OutsideCall) => Promise<T>,
): Promise<T> {
  const { watches, around } = watching.getStore() ?? unwatched;
  const call = { ...around, ...known };
  if (watches.length === 0) return make(call);
  const ended = watches.map((watch) => watch(call));
  try {
    const result = await watching.run({ watches, around: call }, () => make(call));
    for (const end of ended) end();
    return result;
  } catch (error) {
    for (const end of ended) end(error);
    throw error;
  }
}

/** A request as people read it: what of its path names an object, without the query. */
export function callIn(method: string, url: string): string {
  const { pathname } = new URL(url, "http://system");
  const path = pathname
    .replace(/^\/apis?\/(?:[^/]+\/)?v\d\w*\//, "")
    .replace(/^namespaces\/[^/]+\/(?=.)/, "");
  return `${method} ${path}`;
}
