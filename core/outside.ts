import { AsyncLocalStorage } from "node:async_hooks";

/** A system outside, in the words that people read. */
export interface Outside {
  /** The sort of system, such as `hub`. */
  system: string;
  /** Which one of the sort, such as a hub's id; tenants do not see it. */
  instance?: string;
}

/** What is known of a call of a system outside while it is under way. */
export interface OpenCall {
  /** The system in messages, such as "the DNS server". */
  words?: string;
  /** Method and object, such as `PATCH hostedclusters/demo`; tenants do not see it. */
  call?: string;
  from?: Outside;
}

const calls = new AsyncLocalStorage<Set<OpenCall>>();

/** Runs `work`, and notes in `open` the calls of it that are under way, the oldest first. */
export const watched = <T>(open: Set<OpenCall>, work: () => Promise<T>): Promise<T> =>
  calls.run(open, work);

/** Makes a call that whoever watches knows of: every adapter makes its calls by this, or by `ask`. */
export async function called<T>(call: OpenCall, make: () => Promise<T>): Promise<T> {
  const open = calls.getStore();
  open?.add(call);
  try {
    return await make();
  } finally {
    open?.delete(call);
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
