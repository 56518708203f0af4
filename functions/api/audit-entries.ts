import * as z from "zod";
import { timestamp } from "../../core/clock.ts";
import {
  type AuditScope,
  auditChains,
  auditHeads,
  auditPlace,
  readAudit,
} from "../../core/kernel/audit/chain.ts";
import {
  type AuditEntry,
  auditEntrySchema,
  auditHeadSchema,
} from "../../core/kernel/audit/entry.ts";
import { isName } from "../../core/kernel/object/metadata.ts";
import { isPlausibleId } from "../../core/kernel/request/caller.ts";
import { cursorAt } from "../../core/kernel/store/cursor.ts";
import type { Call } from "./call.ts";
import { compiled } from "./list/compiled.ts";
import { pageSchema } from "./list/list.ts";
import { listQuery } from "./list/query.ts";
import { badParameter } from "./parameters.ts";
import { Room } from "./room.ts";
import { prefixes, type Route, route } from "./route.ts";

/**
 * The audit of a tenant, for administrators: its entries, and the chains that prove it complete.
 */

/** The number of entries that one request reads while it filters. */
const readLimit = 2000;
const batch = 100;

export const auditRoutes: Route[] = [
  route({
    area: "private",
    subject: "audit_entry",
    verb: "list",
    method: "GET",
    path: `${prefixes.private}/audit_entries`,
    summary: "List audit entries",
    description:
      "The audit entries of a tenant, in order of time or of one chain; or those about one object or of one user, refusals included, in the audits of all tenants. With a filter a page may be short and still have a next one.",
    query: ["tenant", "chain", "object", "actor", "filter", "order", "limit", "page_token"],
    response: () =>
      pageSchema(auditEntrySchema).extend({
        total: z
          .int()
          .optional()
          .describe(
            "All entries of the tenant; those about an object or of a user are not counted.",
          ),
        chains: z
          .array(auditHeadSchema)
          .optional()
          .describe("Every chain of the tenant, with its last entry's position and hash."),
      }),
    handle: auditAnswer,
  }),
];

async function auditAnswer(call: Call): Promise<Response> {
  const { store } = call.deps;
  const scope = scopeOf(call);
  const query = listQuery(call, () => auditEntrySchema);
  if (query.offset > 0) throw badParameter("offset", "is not known here: use page_token");
  // The heads are read first: entries that are added meanwhile come after them, so none is missed.
  const chains = "tenant" in scope ? await auditHeads(store, scope.tenant) : undefined;
  const { entries, next } = await selected(call, scope, query);
  return call.c.json({
    size: entries.length,
    ...(chains && { total: chains.reduce((sum, { position }) => sum + position, 0) }),
    items: entries,
    ...(next === undefined ? {} : { next_page_token: next }),
    ...(chains && { chains }),
  });
}

/** The audit of one tenant; or, across all tenants, the entries about one object or of one user's actions. */
function scopeOf(call: Call): AuditScope {
  const [tenant, object, actor] = [call.query("tenant"), call.query("object"), call.query("actor")];
  const chain = chainOf(call);
  if (object === undefined && actor === undefined) {
    if (!isName(tenant ?? ""))
      throw badParameter(
        "tenant",
        "must name a tenant, unless object or actor says what of all tenants",
      );
    return { tenant: tenant ?? "", chain };
  }
  const name = object === undefined ? "actor" : "object";
  if (tenant !== undefined || chain !== undefined)
    throw badParameter(name, "is searched for in all tenants: leave out tenant and chain");
  if (object === undefined) {
    if (!actor || actor.length > 253) throw badParameter("actor", "is not the name of a user");
    return { actor };
  }
  if (actor !== undefined)
    throw badParameter("actor", "cannot go with object: filter by this.actor.user");
  if (!isPlausibleId(object)) throw badParameter("object", "is not the id of an object");
  return { object };
}

async function selected(call: Call, scope: AuditScope, query: ReturnType<typeof listQuery>) {
  const reverse = isNewestFirst(query);
  const filter =
    query.filter === ""
      ? undefined
      : await compiled(query.filter, { roots: { this: auditEntrySchema } });
  const now = timestamp(call.deps.clock.now());
  const room = new Room();
  const entries: AuditEntry[] = [];
  let cursor = query.token;
  for (let read = 0; entries.length < query.limit && read < readLimit; ) {
    const page = { limit: batch, reverse, ...(cursor === undefined ? {} : { cursor }) };
    const found = await readAudit(call.deps.store, scope, page);
    for (const [n, entry] of found.entries.entries()) {
      if (!filter || filter.matches({ this: entry, now })) {
        if (entries.length === query.limit || !room.take(JSON.stringify(entry)))
          return { entries, next: cursor };
        entries.push(entry);
      }
      const item = found.page.items[n];
      if (item) cursor = cursorAt(item, auditPlace(scope).index);
    }
    if (found.page.cursor === undefined) return { entries, next: undefined };
    cursor = found.page.cursor;
    read += found.entries.length;
  }
  return { entries, next: cursor };
}

function chainOf(call: Call): number | undefined {
  const text = call.query("chain");
  if (text === undefined || text === "") return undefined;
  if (!/^\d{1,3}$/.test(text) || Number(text) >= auditChains)
    throw badParameter("chain", `must be a number from 0 to ${auditChains - 1}`);
  return Number(text);
}

function isNewestFirst({ order }: ReturnType<typeof listQuery>): boolean {
  const [first, ...others] = order;
  if (!first) return false;
  if (others.length > 0 || first.path.join(".") !== "time")
    throw badParameter("order", "can only be time, or time desc");
  return first.descending;
}
