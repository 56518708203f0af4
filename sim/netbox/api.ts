import { type Context, Hono } from "hono";
import { type Available, available } from "./available.ts";
import { detail, errorResponse, NetboxRefusal } from "./error.ts";
import { filtered } from "./filters.ts";
import type { SimulatedNetbox } from "./netbox.ts";
import {
  type AssignableType,
  assignable,
  type NetboxType,
  type RowOf,
  typeNames,
  types,
} from "./types.ts";
import { viewOf } from "./views.ts";
import { changed, created } from "./writes.ts";

const mostOnPage = 1000;
const usualPage = 50;

/** NetBox's REST API, as versions 4.5 to 4.7 answer. */
export function netboxApi(netbox: SimulatedNetbox) {
  const { records } = netbox;
  const app = new Hono();
  const at = (c: Context) => ({ records, origin: new URL(c.req.url).origin });

  app.use("/api/*", async (c, next) => {
    if (!c.req.path.endsWith("/")) return c.redirect(`${c.req.path}/`, 302);
    netbox.letIn(c.req.header("authorization"), c.req.method);
    await next();
    c.header("api-version", String(netbox.version));
  });

  for (const [path, one] of Object.entries(available)) {
    const [whole = "", last = ""] = [path.slice(0, path.lastIndexOf("/")), path.split("/").at(-1)];
    app.post(`/api/${whole}/:id/${last}/`, async (c) => {
      const body: unknown = await c.req.json();
      const parent = found(one.parent, c.req.param("id")).id;
      const rows = allocate(one, parent, Array.isArray(body) ? body : [body]);
      const views = rows.map((row) => viewOf(one.child, row, at(c)));
      return c.json(Array.isArray(body) ? views : views[0], 201);
    });
  }

  for (const type of typeNames) {
    const base = `/api/${types[type].path}`;
    app.get(`${base}/`, (c) => c.json(page(type, c)));
    app.get(`${base}/:id/`, (c) => one(c, type, found(type, c.req.param("id")), 200));
  }

  for (const type of assignable) {
    const base = `/api/${types[type].path}`;
    app.post(`${base}/`, async (c) =>
      one(c, type, records.add(type, created(type, await c.req.json(), netbox.rules)), 201),
    );
    app.patch(`${base}/:id/`, async (c) => {
      const row = found(type, c.req.param("id"));
      precondition(c, row);
      const fields = changed(type, row, await c.req.json(), netbox.rules);
      return one(c, type, records.change(type, row.id, fields), 200);
    });
    app.delete(`${base}/:id/`, (c) => {
      const row = found(type, c.req.param("id"));
      precondition(c, row);
      refuseInUse(type, row.id);
      records.remove(type, row.id);
      return c.body(null, 204);
    });
  }

  /** Allocates for all of the bodies, or for none. */
  function allocate({ child, give }: Available, parent: number, bodies: Record<string, unknown>[]) {
    const given = give(records, parent, bodies);
    if (!given) throw detail(409, "Insufficient resources are available to satisfy the request");
    const made: RowOf<AssignableType>[] = [];
    try {
      for (const body of given) made.push(records.add(child, created(child, body, netbox.rules)));
    } catch (error) {
      for (const { id } of made) records.remove(child, id);
      if (!(error instanceof NetboxRefusal) || bodies.length === 1) throw error;
      throw new NetboxRefusal(400, [...made.map(() => ({})), error.body]);
    }
    return made;
  }

  function found<T extends NetboxType>(type: T, id: string): RowOf<T> {
    const row = records.get(type, Number(id));
    if (!row) throw detail(404, `No ${types[type].label} matches the given query.`);
    return row;
  }

  function page(type: NetboxType, c: Context): object {
    const url = new URL(c.req.url);
    const rows = ordered(
      filtered(records, type, url.searchParams),
      url.searchParams.get("ordering"),
    );
    const asked = Number(url.searchParams.get("limit") ?? usualPage);
    const limit = asked > 0 ? Math.min(asked, mostOnPage) : mostOnPage;
    const offset = Number(url.searchParams.get("offset") ?? 0);
    const linkTo = (to: number) => {
      const link = new URL(url);
      link.searchParams.set("limit", String(limit));
      link.searchParams.set("offset", String(to));
      return link.href;
    };
    const fields = url.searchParams.get("fields");
    return {
      count: rows.length,
      next: offset + limit < rows.length ? linkTo(offset + limit) : null,
      previous: offset > 0 ? linkTo(Math.max(0, offset - limit)) : null,
      results: rows.slice(offset, offset + limit).map((row) => viewOf(type, row, at(c), fields)),
    };
  }

  function one<T extends NetboxType>(c: Context, type: T, row: RowOf<T>, status: 200 | 201) {
    if (netbox.hasETags) c.header("etag", etagOf(row));
    return c.json(viewOf(type, row, at(c), c.req.query("fields")), status);
  }

  /** Checks If-Match; versions before 4.6 ignore it. */
  function precondition(c: Context, row: RowOf<NetboxType>): void {
    const wanted = c.req.header("if-match");
    if (!netbox.hasETags || wanted === undefined || wanted === "*") return;
    const etag = etagOf(row);
    if (!wanted.split(",").some((each) => each.trim() === etag))
      throw new NetboxRefusal(412, { detail: "Precondition failed." }, { etag });
  }

  function refuseInUse(type: AssignableType, id: number): void {
    const users =
      type === "ipam.vlan" ? records.list("ipam.prefix").filter(({ vlan }) => vlan === id) : [];
    if (users.length === 0) return;
    const named = users.map(({ prefix, id: user }) => `${prefix} (${user})`).join(", ");
    throw detail(
      409,
      `Unable to delete object. ${users.length} dependent objects were found: ${named}`,
    );
  }

  app.notFound((c) => c.html("<h1>Page Not Found</h1>", 404));
  app.onError(errorResponse);
  return app;
}

const etagOf = ({ last_updated }: { last_updated: string }): string =>
  `W/"${last_updated.replace("Z", "+00:00")}"`;

/** Supports only the orders that clients use: by id and by time, ascending and descending. */
function ordered<T extends NetboxType>(rows: RowOf<T>[], by: string | null): RowOf<T>[] {
  const isById = by === null || /^-?(id|time|last_updated)$/.test(by);
  if (!isById) throw new Error(`the simulation cannot order by ${by}`);
  return by?.startsWith("-") ? rows.toReversed() : rows;
}
