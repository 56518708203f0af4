import { operationFor } from "../api/area.ts";
import type { ApiCommand } from "../api/commands.ts";
import type { ApiOperation } from "../api/operations.ts";
import type { Around } from "../around.ts";
import { type CliCall, type CliConnection, connect } from "../call.ts";
import type { Client } from "../client.ts";
import { wrongCall } from "../exit.ts";
import { columnsOf } from "../output/columns.ts";
import { columnsNamed } from "../output/fields.ts";
import { formIn, print, tellNone } from "../output/print.ts";
import { at, isRecord, list, text } from "../output/values.ts";
import { watching } from "./watching.ts";

/** `slipway <kind> list`. */

export interface ListOptions {
  output?: string;
  fields?: string;
  filter?: string;
  order?: string;
  limit?: string;
  tenant?: string;
  project?: string;
  watch?: boolean;
  includeUnpublished?: boolean;
}

const usualLimit = 1000;
const pageSize = 500;

export async function listObjects(
  command: ApiCommand,
  call: CliCall<ListOptions>,
): Promise<undefined> {
  const { options } = call;
  const form = formIn(options.output);
  const limit = limitIn(options.limit);
  const connection = connect(call);
  const operation = operationFor(command, connection.area);
  const query = {
    filter: filterOf(options),
    order: options.order,
    include_unpublished: options.includeUnpublished ? "true" : undefined,
  };
  const read = (signal?: AbortSignal) =>
    allPages(connection.client, operation, { query, limit, signal });
  await printList(call, { connection, read, kind: command.kind, form });
  return undefined;
}

interface Listed {
  connection: CliConnection;
  read(signal?: AbortSignal): Promise<ListPage>;
  kind: string;
  form: ReturnType<typeof formIn>;
}

/** Prints a list, once or at each change. */
export async function printList(
  { around, options }: CliCall<Pick<ListOptions, "watch" | "fields">>,
  { connection, read, kind, form }: Listed,
): Promise<void> {
  const { area } = connection;
  const columns =
    columnsNamed(options.fields, form) ??
    columnsOf(kind, { verb: "list", area, isWide: form === "wide" });
  if (options.watch) return watching(around, { read, columns, form });
  const page = await read();
  tellNone(around, page, form);
  const { hasMore, ...shown } = page;
  await print(around, shown, { form, columns });
  const { size, total } = page;
  if (total !== undefined && total > size)
    around.err.write(`${size} of ${total}; --limit ${total} shows all\n`);
  else if (total === undefined && hasMore) tellMore(around, page);
}

/** Says that a list has more items, where its total is unknown. */
export function tellMore({ err }: Pick<Around, "err">, { size }: ListPage): void {
  err.write(`the first ${size}; --limit ${2 * size} shows more\n`);
}

export function limitIn(limit: string | undefined): number {
  if (limit === undefined) return usualLimit;
  if (!/^[1-9]\d{0,6}$/.test(limit)) throw wrongCall("--limit must be a number from 1 on");
  return Number(limit);
}

function filterOf({ filter, tenant, project }: ListOptions): string | undefined {
  const conditions = [
    ...(tenant === undefined ? [] : [`this.metadata.tenant == ${JSON.stringify(tenant)}`]),
    ...(project === undefined ? [] : [`this.metadata.project == ${JSON.stringify(project)}`]),
    ...(filter === undefined ? [] : [`(${filter})`]),
  ];
  return conditions.length === 0 ? undefined : conditions.join(" && ");
}

/** The pages of a list, combined to one answer. */
export interface ListPage {
  size: number;
  total?: number;
  items: unknown[];
  /** Whether there are more items than requested. */
  hasMore?: true;
}

interface Asked {
  query: Record<string, string | undefined>;
  limit: number;
  /** Aborts the reads. */
  signal?: AbortSignal | undefined;
}

export async function allPages(
  client: Client,
  { path }: Pick<ApiOperation, "path">,
  { query, limit, signal }: Asked,
): Promise<ListPage> {
  const items: unknown[] = [];
  let total: number | undefined;
  let token: string | undefined;
  do {
    const rest = String(Math.min(pageSize, limit - items.length));
    const asked = { ...query, limit: rest, page_token: token };
    const { body } = await client.get(path, asked, signal);
    items.push(...list(at(body, "items")));
    const counted = isRecord(body) ? body.total : undefined;
    if (typeof counted === "number") total ??= counted;
    token = text(at(body, "next_page_token")) || undefined;
  } while (token !== undefined && items.length < limit);
  return {
    size: items.length,
    ...(total !== undefined && { total }),
    items,
    ...(token !== undefined && { hasMore: true }),
  };
}
