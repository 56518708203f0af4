import type { OwnedSiteNumbers } from "../core/reconcile/owners/site-numbers.ts";
import { operations } from "./api/operations.ts";
import { type CliCall, connect } from "./call.ts";
import { foundIdOf, pathTo } from "./generic/find.ts";
import { limitIn } from "./generic/list.ts";
import { formIn, print } from "./output/print.ts";
import { holdingColumns } from "./who.ts";

/** `slipway site numbers site-1 --pool vlans`: each number of a site's pool, and its holder. */

export interface NumberOptions {
  pool: string;
  from?: string;
  limit?: string;
  output?: string;
}

/** The API's largest page. */
const pageSize = 1000;

export async function siteNumbers(call: CliCall<NumberOptions>): Promise<undefined> {
  const { around, options, words } = call;
  const { pool } = options;
  const form = formIn(options.output);
  const limit = limitIn(options.limit);
  const { client } = connect(call);
  const [name = ""] = words;
  const operation = operations().find(({ id }) => id === "private.site.numbers");
  if (!operation) throw new Error("the document has no numbers of sites");
  const path = pathTo(operation, await foundIdOf(client, operation, name));
  const items: OwnedSiteNumbers["items"] = [];
  let from = options.from;
  let total = 0;
  do {
    const rest = String(Math.min(pageSize, limit - items.length));
    const { body } = await client.get(path, { pool, from, limit: rest });
    // The type is that of the API's schema.
    const page = body as OwnedSiteNumbers;
    items.push(...page.items);
    total = page.total;
    from = page.next;
  } while (from !== undefined && items.length < limit);
  if (items.length === 0) around.err.write("there are none\n");
  await print(
    around,
    { size: items.length, total, items },
    { form, columns: holdingColumns(form === "wide") },
  );
  if (from !== undefined)
    around.err.write(`${items.length} of ${total}; continue with --from ${from}\n`);
  return undefined;
}
