import { dollarsOf, total } from "./cost/dollars.ts";
import { moreAmong } from "./cost/many-hubs.ts";
import { nothing, plus } from "./cost/meter.ts";
import { prices } from "./cost/prices.ts";
import { changesOfLife, countOps } from "./ops/changes.ts";

/** The number of hubs of a large fleet; the small one has two. */
const many = 10_000;

/** `npm run bench -- cost`: the cost of a thousand changes of each kind on AWS, by service. */
export async function bench(): Promise<void> {
  const ops = await countOps("life");
  const counts = mapped(changesOfLife, (name) => ops[name]?.counts ?? nothing);
  const { create = nothing, delete: remove = nothing } = counts;
  const life = plus(create, remove);
  const lives = { "life, 2 hubs": life, [`life, ${many} hubs`]: plus(life, await moreAmong(many)) };
  const all = { ...counts, ...lives };
  const dollars = mapped(all, (each) => {
    const parts = dollarsOf(each);
    return mapped({ ...parts, together: total(parts) }, (part) => Number((1000 * part).toFixed(3)));
  });
  console.log(`counts of one change, list prices of ${prices.region} as of ${prices.asOf}`);
  console.table(turned(all));
  console.log("dollars per thousand changes; a life is a create and a delete");
  console.table(turned(dollars));
  console.log(JSON.stringify({ prices, counts: all, dollars_per_thousand: dollars }));
}

const mapped = <A, B>(record: Record<string, A>, to: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));

/** A table with rows and columns exchanged. */
function turned(table: Record<string, Record<string, number>>) {
  const rows: Record<string, Record<string, number>> = {};
  for (const [column, values] of Object.entries(table))
    for (const [row, value] of Object.entries(values))
      rows[row] = { ...rows[row], [column]: value };
  return rows;
}
