/**
 * Operators whose availability does not count: ingress and console come up only with DNS and load
 * balancing (reference/hub.md §2.13), which are not part of an order yet.
 */
const notAwaited = ["ingress", "console"];

/** Of `name: message` entries, those that count. */
export function awaited(unavailable: string[]): string[] {
  return unavailable.filter((entry) => !notAwaited.includes(entry.split(":")[0] ?? ""));
}
