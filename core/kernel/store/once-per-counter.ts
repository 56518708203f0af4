import type { Update, Write } from "./store.ts";

/** The writes with all additions to a counter combined, since a transaction writes an item only once. */
export function oncePerCounter(writes: Write[]): Write[] {
  const updates = new Map<string, Update>();
  const others: Write[] = [];
  for (const write of writes) {
    if (!("update" in write)) {
      others.push(write);
      continue;
    }
    const { pk, sk } = write.update;
    const counter = JSON.stringify([pk, sk]);
    const known = updates.get(counter);
    const add = { ...known?.add };
    for (const [name, n] of Object.entries(write.add ?? {})) add[name] = (add[name] ?? 0) + n;
    updates.set(counter, { ...known, ...write, add });
  }
  return [...others, ...updates.values()];
}
