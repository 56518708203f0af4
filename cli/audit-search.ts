import { operations } from "./api/operations.ts";
import { type CliCall, connect } from "./call.ts";
import type { Client } from "./client.ts";
import { wrongCall } from "./exit.ts";
import { millisecondsIn } from "./follow/follow.ts";
import { foundIdOf } from "./generic/find.ts";
import { allPages, limitIn, tellMore } from "./generic/list.ts";
import { kindCalled } from "./groups.ts";
import { columnsOf } from "./output/columns.ts";
import { formIn, print } from "./output/print.ts";

/** `slipway audit search`: who did what, newest first. */

export interface SearchOptions {
  object?: string;
  actor?: string;
  tenant?: string;
  since?: string;
  filter?: string;
  limit?: string;
  output?: string;
}

export async function searchAudit(call: CliCall<SearchOptions>): Promise<undefined> {
  const { around, options } = call;
  const { object, actor, tenant, since, filter } = options;
  const form = formIn(options.output);
  const limit = limitIn(options.limit ?? "100");
  if (object === undefined && actor === undefined && tenant === undefined)
    throw wrongCall("name the object, the user or the tenant: --object, --actor or --tenant");
  const { client, area } = connect(call);
  const isOfTenant = object === undefined && actor === undefined;
  const conditions = [
    ...(since === undefined
      ? []
      : [`this.time >= ${JSON.stringify(sinceTime(since, around.now()))}`]),
    ...(tenant === undefined || isOfTenant ? [] : [`this.tenant == ${JSON.stringify(tenant)}`]),
    ...(object === undefined || actor === undefined
      ? []
      : [`this.actor.user == ${JSON.stringify(actor)}`]),
    ...(filter === undefined ? [] : [`(${filter})`]),
  ].join(" && ");
  const page = await allPages(
    client,
    { path: "/api/private/v1/audit_entries" },
    {
      query: {
        object: object === undefined ? undefined : await objectId(client, object),
        actor: object === undefined ? actor : undefined,
        tenant: isOfTenant ? tenant : undefined,
        filter: conditions || undefined,
        order: "time desc",
      },
      limit,
    },
  );
  if (page.size === 0)
    around.err.write(
      object?.includes("/")
        ? "nothing was found; deleted objects can be found only by their id\n"
        : "nothing was found\n",
    );
  const columns = columnsOf("audit_entry", { verb: "list", area, isWide: form === "wide" });
  const { hasMore, ...shown } = page;
  await print(around, shown, { form, columns });
  // The total counts all entries of the tenant, because the API ignores the filter there.
  if (hasMore) tellMore(around, page);
  return undefined;
}

/** The object's id, given as such or as kind and name: `cluster/demo`. */
async function objectId(client: Client, object: string): Promise<string> {
  const [, kind, name] = /^([a-z-]+)\/(.+)$/.exec(object) ?? [];
  if (kind === undefined || name === undefined) return object;
  const named = `${kindCalled(kind).replaceAll("-", "_")}.get`;
  const get = ["private", "public"]
    .map((area) => operations().find(({ id }) => id === `${area}.${named}`))
    .find((found) => found !== undefined);
  if (!get)
    throw wrongCall(
      `unknown kind '${kind}'`,
      "--object takes an id, or KIND/NAME such as cluster/demo",
    );
  return foundIdOf(client, get, name);
}

/** A time, given as such or as an age: `2h`. */
function sinceTime(since: string, now: number): string {
  if (/^\d{4}-/.test(since)) {
    const time = Date.parse(since);
    if (Number.isNaN(time))
      throw wrongCall(`--since: expected a time or a duration, such as 2h; got '${since}'`);
    return new Date(time).toISOString();
  }
  return new Date(now - millisecondsIn(since)).toISOString();
}
