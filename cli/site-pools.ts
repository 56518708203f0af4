import type * as z from "zod";
import type { capacityItemSchema } from "../core/reconcile/capacity-schema.ts";
import { operationNamed } from "./api/operations.ts";
import { type CliCall, connect } from "./call.ts";
import { foundIdOf } from "./generic/find.ts";
import type { Column } from "./output/columns.ts";
import { formIn, print } from "./output/print.ts";
import { at, list, shown } from "./output/values.ts";

/** `slipway site pools`: the free numbers of sites' pools, and the operations that wait for them. */

type Pool = z.output<typeof capacityItemSchema>;

export interface PoolOptions {
  output?: string;
}

export async function sitePools(call: CliCall<PoolOptions>): Promise<undefined> {
  const { around, options, words } = call;
  const form = formIn(options.output);
  const { client } = connect(call);
  const [name] = words;
  const get = operationNamed("private.site.get");
  const wanted = name === undefined ? undefined : await foundIdOf(client, get, name);
  const { body } = await client.get("/api/private/v1/capacity");
  const items = list(at(body, "items")).filter((each) => {
    const site = at(each, "site");
    return site !== undefined && (wanted === undefined || site === wanted);
  });
  if (items.length === 0) around.err.write("there are none\n");
  await print(around, { items }, { form, columns });
  return undefined;
}

/** A column for rows of the API's schema. */
const column = (head: string, cell: (pool: Pool) => string | number | undefined): Column => ({
  head,
  cell: (pool) => shown(cell(pool as Pool)),
});

const columns: Column[] = [
  column("SITE", ({ site }) => site),
  column("POOL", ({ resource }) => resource),
  column("TOTAL", ({ total }) => total),
  column("USED", ({ used }) => used),
  column("RESTING", ({ resting }) => resting),
  column("FREE", ({ free }) => free),
  column("IN USE", ({ used_percent }) => `${used_percent} %`),
  column("PER DAY", ({ per_day }) => per_day),
  column("DAYS LEFT", ({ days_left }) => days_left),
  column("WAITING", ({ waiting }) => waiting),
];
