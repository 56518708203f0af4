import { archiveKey, objectKey } from "../object/keys.ts";
import { definitionOf } from "../object/kind.ts";
import type { Actor, Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { objectIn, type Records } from "../object/records.ts";
import { type Rendering, render, type Wire } from "../object/view.ts";
import { keyId, keyOf } from "../store/check.ts";
import {
  absent,
  type Condition,
  type Item,
  type Put,
  type Store,
  type Write,
} from "../store/store.ts";
import { type AuditDeps, appendAudit } from "./chain.ts";
import type { AuditAct } from "./entry.ts";

/** A request as the audit names it: who asks for what, before it is known what comes of it. */
export interface AuditedRequest {
  actor: AuditAct["actor"];
  on_behalf_of?: AuditAct["on_behalf_of"];
  source: string;
  request_id: string;
  /** What the route is about. */
  kind: string;
  verb: string;
  /** In the path; empty for a new object. */
  object_id: string;
  /** The caller's, for what is about no object. */
  tenant: string;
}

/**
 * The store of one request that changes something: each of its transactions also appends to the
 * audit what it does to the object that the request is about, and says in the events of all it
 * writes who did it. So whoever accepts a request needs not know of either, and nothing is changed
 * without them.
 */
export function auditedStore(
  deps: AuditDeps & Rendering,
  request: AuditedRequest,
  chain?: number,
): Store {
  const { store } = deps;
  const seen = new Map<string, Item>();
  const noted = (item: Item | undefined): Item | undefined => {
    if (item) seen.set(keyId(item), item);
    return item;
  };
  const by: Actor = {
    user: request.actor.user,
    ...(request.on_behalf_of && { on_behalf_of: request.on_behalf_of }),
  };
  return {
    get: async (key) => noted(await store.get(key)),
    getMany: async (keys) => (await store.getMany(keys)).map(noted),
    query: (query) => store.query(query),
    async transact(writes) {
      const written = await writtenBy(deps, writes, seen);
      const change = await changeIn(deps, request, written);
      const act = { ...request, ...change, result: "AUDIT_RESULT_ACCEPTED" } as const;
      await appendAudit(deps, act, told(writes, written, by), { first: chain });
    },
  };
}

/** The tenant of the object that a request names in its path; the caller's when there is none. */
export async function audienceOf(
  { store, kinds }: Records,
  { kind, object_id, tenant }: AuditedRequest,
) {
  // What is in a path may be no id, nor the kind one of objects: then nothing is found.
  if (object_id === "" || object_id.length > 253) return tenant;
  const item = await store.get(objectKey(kind as Kind, object_id));
  return item ? objectIn(kinds, item).metadata.tenant : tenant;
}

/** An object that a transaction puts. */
interface Written {
  write: Put;
  object: ObjectOf[Kind];
  /** As it is until then: the transaction is refused unless it was made from that. */
  before: ObjectOf[Kind] | undefined;
}

/**
 * Other items than objects have no event. What the request has seen is what an object was before, where
 * the transaction is refused unless it still is; else it is read.
 */
async function writtenBy(
  { store, kinds }: Records,
  writes: Write[],
  seen: ReadonlyMap<string, Item>,
): Promise<Written[]> {
  const puts = writes.flatMap((write) =>
    "put" in write && "event" in write.put ? [{ write, object: objectIn(kinds, write.put) }] : [],
  );
  const guarded = new Map(writes.map((write) => [keyId(keyOf(write)), write.if]));
  const [known, unknown] = [new Map<Put, Item>(), [] as typeof puts];
  for (const put of puts) {
    const id = keyId(objectKey(put.object.kind, put.object.id));
    const item = seen.get(id);
    if (item && isAtRevision(guarded.get(id), item)) known.set(put.write, item);
    else if (put.write.if !== absent) unknown.push(put);
  }
  const items = await store.getMany(unknown.map(({ object: { kind, id } }) => objectKey(kind, id)));
  return puts.map((put) => {
    const item = known.get(put.write) ?? items[unknown.indexOf(put)];
    return { ...put, before: item && objectIn(kinds, item) };
  });
}

const isAtRevision = (condition: Condition | undefined, { revision }: Item): boolean =>
  condition?.test === "eq" && condition.path === "revision" && condition.value === revision;

/** The writes, with who it was in each event that is new. */
function told(writes: Write[], written: Written[], by: Actor): Write[] {
  return writes.map((write) => {
    const found = written.find((each) => each.write === write);
    if (!found || found.before?.event.sequence === found.object.event.sequence) return write;
    const event = { ...found.object.event, by: JSON.parse(JSON.stringify(by)) };
    return { ...found.write, put: { ...found.write.put, event } };
  });
}

type Change = Pick<AuditAct, "tenant" | "object_id" | "operation" | "before" | "after">;

async function changeIn(
  deps: Records & Rendering,
  request: AuditedRequest,
  written: Written[],
): Promise<Change> {
  // An operation goes with what it changes, and nothing else that a request writes does.
  const operation = written.find(({ object: { kind } }) => definitionOf(deps.kinds, kind).attached)
    ?.object.id;
  const worked = operation === undefined ? {} : { operation };
  const about = written.find(({ object }) => object.kind === request.kind);
  if (!about) {
    const tenant = await audienceOf(deps, request);
    return { tenant, object_id: request.object_id, ...worked };
  }
  const { write, object, before } = about;
  const goes = isAt(write.put, archiveKey(object.kind, object.id));
  return {
    tenant: object.metadata.tenant,
    object_id: object.id,
    ...worked,
    ...(before ? { before: seen(deps, before) } : {}),
    ...(goes ? {} : { after: seen(deps, object) }),
  };
}

const isAt = (item: Item, { pk, sk }: { pk: string; sk: string }): boolean =>
  item.pk === pk && item.sk === sk;

/** As administrators see it: secrets are not in it, or masked. */
const seen = (rendering: Rendering, object: ObjectOf[Kind]): Wire =>
  render(rendering, object, { profile: "slipway", private: true });
