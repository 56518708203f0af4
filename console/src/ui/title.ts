import { useSyncExternalStore } from "react";

/** The title of the shown page, which the header repeats. */

let title = "";
const listeners = new Set<() => void>();

export function noteTitle(next: string): void {
  title = next;
  document.title = `${next} · Slipway`;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTitle = (): string => useSyncExternalStore(subscribe, () => title);
