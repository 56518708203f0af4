import { useSyncExternalStore } from "react";

/** Whether the API is reached: by the last request that was sent, and by what the browser says of its network. */

let isAnswered = true;
const listeners = new Set<() => void>();

/** Notes how the last request went, whoever has sent it. */
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

/** Whether it is reached now, as soon as that is known. */
export const useReached = (): boolean =>
  useSyncExternalStore(subscribe, () => isAnswered && navigator.onLine);
