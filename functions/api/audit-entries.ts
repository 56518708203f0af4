import * as z from "zod";
import { auditChains, auditHeads, readAudit } from "../../core/audit/chain.ts";
import { type AuditEntry, auditEntrySchema, auditHeadSchema } from "../../core/audit/entry.ts";
import { nameSchema } from "../../core/model/metadata.ts";
import { cursorAt } from "../../core/store/cursor.ts";
import type { Call } from "./call.ts";
import { prefixes } from "./collection.ts";
import { compiled } from "./list/compiled.ts";
import { pageSchema } from "./list/list.ts";
import { listQuery } from "./list/query.ts";
import { badParameter } from "./parameters.ts";
import { Room } from "./room.ts";
import { type Route, route } from "./route.ts";

/** The audit of a tenant, for administrators: who did what, and the chains that prove it whole. */

/** Entries that one request looks at to find those that its filter selects. */
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
      "What was done for a tenant, in order of time, or one chain of it in its order. A page that a filter leaves short may still have a next one.",
    query: ["tenant", "chain", "filter", "order", "limit", "page_token"],
    // `total` counts all entries of the tenant; a page that a filter leaves short has a next one.
    response: pageSchema(auditEntrySchema).extend({
      chains: z.array(auditHeadSchema).describe("Every chain of the tenant, as it ends."),
    }),
    handle: auditAnswer,
  }),
];

async function auditAnswer(call: Call): Promise<Response> {
  const { store } = call.deps;
  const tenant = call.query("tenant") ?? "";
  if (!nameSchema.safeParse(tenant).success) throw badParameter("tenant", "must name a tenant");
  const query = listQuery(call, auditEntrySchema);
  if (query.offset > 0) throw badParameter("offset", "is not known here: use page_token");
  // The heads first: entries that come meanwhile are beyond them, and none is missing.
  const chains = await auditHeads(store, tenant);
  const { entries, next } = await selected(call, tenant, query);
  return call.c.json({
    size: entries.length,
    total: chains.reduce((sum, { position }) => sum + position, 0),
    items: entries,
    ...(next === undefined ? {} : { next_page_token: next }),
    chains,
  });
}

async function selected(call: Call, tenant: string, query: ReturnType<typeof listQuery>) {
  const chain = chainOf(call);
  const reverse = isNewestFirst(query);
  const filter =
    query.filter === ""
      ? undefined
      : await compiled(query.filter, { roots: { this: auditEntrySchema } });
  const now = new Date(call.deps.clock.now()).toISOString();
  const room = new Room();
  const entries: AuditEntry[] = [];
  let cursor = query.token;
  for (let read = 0; entries.length < query.limit && read < readLimit; ) {
    const wish = { limit: batch, reverse, ...(cursor === undefined ? {} : { cursor }) };
    const found = await readAudit(call.deps.store, tenant, {
      ...wish,
      ...(chain === undefined ? {} : { chain }),
    });
    for (const [n, entry] of found.entries.entries()) {
      if (!filter || filter.matches({ this: entry, now })) {
        if (entries.length === query.limit || !room.take(JSON.stringify(entry)))
          return { entries, next: cursor };
        entries.push(entry);
      }
      const item = found.page.items[n];
      if (item) cursor = cursorAt(item, chain === undefined ? "g1" : undefined);
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
