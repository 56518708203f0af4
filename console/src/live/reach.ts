import { useSyncExternalStore } from "react";

/** Whether the API is reachable, by the last request and by the browser's view of its network. */

let isAnswered = true;
const listeners = new Set<() => void>();

/** Stores whether the last request, from any part of the console, reached the API. */
export function noteReach(isReached: boolean): void {
  if (isReached === isAnswered) return;
  isAnswered = isReached;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("offline", listener);
  addEventListener("online", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("offline", listener);
    removeEventListener("online", listener);
  };
}

/** Whether the API is reachable now. */
export const useReached = (): boolean =>
  useSyncExternalStore(subscribe, () => isAnswered && navigator.onLine);
