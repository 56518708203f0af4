import { AsyncLocalStorage } from "node:async_hooks";

/** A system outside, as people read of it. */
export interface Outside {
  /** The sort of system, such as `hub`. */
  system: string;
  /** Which one of the sort, such as a hub's id; hidden from tenants. */
  instance?: string;
}

/** The known facts of a call of a system outside. */
export interface OutsideCall {
  /** The name of the system in messages, such as "the DNS server". */
  words?: string;
  /** Method and object, such as `PATCH hostedclusters/demo`; hidden from tenants. */
  call?: string;
  from?: Outside;
  /** The HTTP status of the answer, once there is one. */
  status?: number;
}

/** Called when a call begins; answers the function to call at its end, with the error if it failed. */
export type CallWatch = (call: OutsideCall) => (error?: unknown) => void;

const watching = new AsyncLocalStorage<{ watches: CallWatch[]; around: OutsideCall }>();
const unwatched = { watches: [], around: {} };

/** Runs `work`, and notifies `watch` of each call that it makes. Outer watches are notified too. */
export function watched<T>(watch: CallWatch, work: () => T): T {
  const { watches, around } = watching.getStore() ?? unwatched;
  return watching.run({ watches: [...watches, watch], around }, work);
}

/**
 * Makes a call and notifies the watches of it: every adapter makes its calls by this, or by `ask`. A call inside
 * another one inherits the outer call's facts.
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

/** A request for people to read: the part of its path that names an object, without the query. */
export function callIn(method: string, url: string): string {
  const { pathname } = new URL(url, "http://system");
  const path = pathname
    .replace(/^\/apis?\/(?:[^/]+\/)?v\d\w*\//, "")
    .replace(/^namespaces\/[^/]+\/(?=.)/, "");
  return `${method} ${path}`;
}
