import { countChanges } from "./cost/changes.ts";
import { dollarsOf, total } from "./cost/dollars.ts";
import { prices } from "./cost/prices.ts";

/** `npm run bench -- cost`: what a thousand changes of each kind cost on AWS, and what makes it up. */
export async function bench(): Promise<void> {
  const counts = await countChanges();
  const dollars = mapped(counts, (each) => {
    const parts = dollarsOf(each);
    return mapped({ ...parts, together: total(parts) }, (part) => Number((1000 * part).toFixed(3)));
  });
  console.log(`counts of one change, list prices of ${prices.region} as of ${prices.asOf}`);
  console.table(turned(counts));
  console.log("dollars per thousand changes");
  console.table(turned(dollars));
  console.log(JSON.stringify({ prices, counts, dollars_per_thousand: dollars }));
}

const mapped = <A, B>(record: Record<string, A>, to: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));

/** A table with its rows and columns exchanged. */
function turned(table: Record<string, Record<string, number>>) {
  const rows: Record<string, Record<string, number>> = {};
  for (const [column, values] of Object.entries(table))
    for (const [row, value] of Object.entries(values))
      rows[row] = { ...rows[row], [column]: value };
  return rows;
}
