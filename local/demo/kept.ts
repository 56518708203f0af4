import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { openSqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { ledgerIn } from "./look.ts";

/** The number of objects of each sort, in Slipway and outside. */
type Kept = ReadonlyMap<string, number>;

/**
 * The items that servers have while they are ordered, by the first word of their keys: objects, addresses and other
 * numbers, the overlay ends of DPUs, tokens of machines. Records of the past stay, and are not counted.
 */
const words = [
  ...["baremetal_instance", "virtual_network", "subnet"],
  ...["number", "overlay-end", "machine-token", "machine-token-of"],
];

/** Counts these items and all secrets in this data folder, and everything in its simulated world. */
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

/** Describes the counts that have increased since `before`. */
export const moreThan = (before: Kept, after: Kept): string[] =>
  [...after].flatMap(([what, count]) => {
    const more = count - (before.get(what) ?? 0);
    return more > 0 ? [`${more} more: ${what}`] : [];
  });
