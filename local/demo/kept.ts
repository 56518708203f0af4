import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { openSqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { ledgerIn } from "./look.ts";

/** How much there is at a moment, in Slipway and outside, by what it is. */
type Kept = ReadonlyMap<string, number>;

/**
 * What servers have while they are ordered, by the first word of its key in the table: objects, addresses and other
 * numbers, DPUs that are ends of networks, tokens of machines. What tells of the past stays.
 */
const words = [
  ...["baremetal_instance", "virtual_network", "subnet"],
  ...["number", "overlay-end", "machine-token", "machine-token-of"],
];

/** Such items and secrets of the Slipway in this data folder, and everything in its simulated world. */
export async function kept({ data, sim }: { data: string; sim: string }): Promise<Kept> {
  const store = openSqliteStore(join(data, "slipway.db"));
  const items = words.flatMap((word) => store.items(`${word}#`).map(() => word));
  store.close();
  const secrets = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(readFileSync(join(data, "secrets.json"), "utf8")));
  const all = [
    ...items,
    ...Object.keys(secrets).map((name) => `secret of a ${name.split("/", 2).join(" ")}`),
    ...(await ledgerIn(sim)).map(({ system, kind }) => `${kind} at ${system}`),
  ];
  return new Map([...Map.groupBy(all, (what) => what)].map(([what, each]) => [what, each.length]));
}

/** What there is more of than before, in words. */
export const moreThan = (before: Kept, after: Kept): string[] =>
  [...after].flatMap(([what, count]) => {
    const more = count - (before.get(what) ?? 0);
    return more > 0 ? [`${more} more: ${what}`] : [];
  });
