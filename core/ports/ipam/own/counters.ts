import { timestamp } from "../../../clock.ts";
import { restingPartition } from "../../../kernel/object/number-keys.ts";
import type { Item } from "../../../kernel/store/store.ts";
import type { NumberPool } from "../ipam.ts";

/** The item of a number that rests until this time (ms). */
export const resting = ({ name }: NumberPool, until: number, number: number): Item => ({
  pk: restingPartition(name),
  sk: `${timestamp(until)}#${String(number).padStart(12, "0")}`,
  number,
});

/** The counters of a pool; `next` is the watermark. */
export function counters(state: Item | undefined): { used: number; resting: number; next: number } {
  const count = (name: string) => (typeof state?.[name] === "number" ? Number(state[name]) : 0);
  return { used: count("used"), resting: count("resting"), next: count("next") };
}
