import { isIPv4 } from "node:net";
import { addressOf, numberOf } from "../core/ipv4.ts";
import { operationNamed } from "./api/operations.ts";
import { type CliCall, connect } from "./call.ts";
import { wrongCall } from "./exit.ts";
import { foundIdOf, pathTo } from "./generic/find.ts";
import type { Column } from "./output/columns.ts";
import { outputTable } from "./output/table.ts";
import { at, text } from "./output/values.ts";

/**
 * `slipway site extend`: adds numbers to the pools of a site. Slipway validates the whole change first, so that a
 * pool which cannot be extended prevents the whole change.
 */

export interface ExtendOptions {
  vlans?: string;
  floatingIps?: string;
  dryRun?: boolean;
}

interface Extension {
  pool: string;
  from: string;
  to: string;
  more: number;
  body: object;
}

export async function extendSite(call: CliCall<ExtendOptions>): Promise<undefined> {
  const { around, options, words } = call;
  const [name = ""] = words;
  const { client } = connect(call);
  const get = operationNamed("private.site.get");
  const path = pathTo(get, await foundIdOf(client, get, name));
  const asked = pools.flatMap((pool) => {
    const range = pool.asked(options);
    return range === undefined ? [] : [{ pool, range }];
  });
  if (asked.length === 0) throw wrongCall("nothing to add: use --vlans or --floating-ips");
  const { body: site } = await client.get(path);
  const extensions = asked.map(({ pool, range }) => extended(site, pool, range));
  const body = { spec: { network: Object.assign({}, ...extensions.map((each) => each.body)) } };
  await client.ask({ method: "PATCH", path, query: { dry_run: "true" }, body });
  around.out.write(outputTable(extensions, columns, around.out));
  if (options.dryRun) around.err.write("it would be accepted; nothing was changed\n");
  else await client.ask({ method: "PATCH", path, body });
  return undefined;
}

interface Pool {
  /** The pool's member in the site. */
  member: string;
  option: string;
  asked(options: ExtendOptions): string | undefined;
  /** A number of the pool; NaN for an invalid one. */
  number(written: string): number;
  /** A number in the form that people write and the API takes. */
  written(number: number): string | number;
  example: string;
}

const pools: Pool[] = [
  {
    member: "vlans",
    option: "--vlans",
    asked: ({ vlans }) => vlans,
    number: (written) => (/^\d{1,4}$/.test(written) ? Number(written) : Number.NaN),
    written: (number) => number,
    example: "4000-4050",
  },
  {
    member: "floating_ips",
    option: "--floating-ips",
    asked: ({ floatingIps }) => floatingIps,
    number: (written) => (isIPv4(written) ? numberOf(written) : Number.NaN),
    written: addressOf,
    example: "203.0.113.251-203.0.113.254",
  },
];

/**
 * The pool with an additional range. Throws for an invalid range, and for one that does not follow the pool without
 * a gap.
 */
function extended(site: unknown, pool: Pool, range: string): Extension {
  const { member, option, number, written } = pool;
  const bound = (end: "first" | "last"): number =>
    number(String(at(site, `spec.network.${member}.${end}`) ?? ""));
  const [first, last] = [bound("first"), bound("last")];
  if (Number.isNaN(first))
    throw wrongCall(
      `${text(at(site, "metadata.name"))} has no ${member}: it has no network of its own`,
    );
  const [from = Number.NaN, to = from, ...rest] = range.split("-").map(number);
  if (Number.isNaN(from) || Number.isNaN(to) || rest.length > 0 || to < from)
    throw wrongCall(`${option}: expected a range, such as ${pool.example}; got '${range}'`);
  const has = `${written(first)}-${written(last)}`;
  if (from > last + 1 || to < first - 1)
    throw wrongCall(
      `${option} ${range} would leave a gap: a site has only one range, which is ${has}`,
      "name all up to it",
    );
  const [lower, upper] = [Math.min(first, from), Math.max(last, to)];
  return {
    pool: member,
    from: has,
    to: `${written(lower)}-${written(upper)}`,
    more: upper - lower - (last - first),
    body: { [member]: { first: written(lower), last: written(upper) } },
  };
}

const column = (head: string, cell: (extension: Extension) => string | number): Column => ({
  head,
  // All rows of this table are extensions.
  cell: (row) => String(cell(row as Extension)),
});

const columns = [
  column("POOL", ({ pool }) => pool),
  column("IS", ({ from }) => from),
  column("TO BE", ({ to }) => to),
  column("MORE", ({ more }) => more),
];
