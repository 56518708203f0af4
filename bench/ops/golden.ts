import { readFileSync, writeFileSync } from "node:fs";
import type { Taken } from "./changes.ts";

/** The stored costs of changes and requests, as JSON. */

export type Ops = Readonly<Record<string, Taken>>;

const file = new URL("golden.json", import.meta.url);

export const golden = (): Ops => JSON.parse(readFileSync(file, "utf8"));

export const textOf = (ops: Ops): string => `${JSON.stringify(ops, undefined, 2)}\n`;

export const writeGolden = (ops: Ops): void => writeFileSync(file, textOf(ops));

/** The command that stores new counts after an intended change. */
export const writing = "npm run bench -- ops --write";

/** The changed counts: `create, 2 nodes: readUnits 1126 → 1130`. */
export function differences(was: Ops, is: Ops): string[] {
  return Object.entries(is).flatMap(([name, { counts, details }]) => {
    const before = was[name];
    if (!before) return [`${name} was not counted before`];
    return [
      ...changed({ ...before.counts }, { ...counts }),
      ...changed(before.details, details),
    ].map((change) => `${name}: ${change}`);
  });
}

function changed(was: Record<string, number>, is: Record<string, number>): string[] {
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names].flatMap((name) => {
    const [before, after] = [was[name] ?? 0, is[name] ?? 0];
    return before === after ? [] : [`${name} ${before} → ${after}`];
  });
}
