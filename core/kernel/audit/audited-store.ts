import { archiveKey, objectKey } from "../object/keys.ts";
import type { Actor, Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { objectIn } from "../object/records.ts";
import { view, type Wire } from "../object/view.ts";
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

/** The part of an audit entry that is known before the request's result. */
export interface AuditedRequest {
  actor: AuditAct["actor"];
  on_behalf_of?: AuditAct["on_behalf_of"];
  source: string;
  request_id: string;
  /** The kind that the route is about. */
  kind: string;
  verb: string;
  /** From the path; empty for a new object. */
  object_id: string;
  /** The caller's tenant, for an entry about no object. */
  tenant: string;
}

/**
 * The store of one request that changes something. Each of its transactions also appends an audit
 * entry about the request's object, and names the actor in the events of all objects that it
 * writes. So the code that accepts a request needs to know neither, and no change happens without
 * both.
 */
export function auditedStore(deps: AuditDeps, request: AuditedRequest, chain?: number): Store {
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
      const written = await writtenBy(store, writes, seen);
      const change = await changeIn(store, request, written);
      const act = { ...request, ...change, result: "AUDIT_RESULT_ACCEPTED" } as const;
      await appendAudit(deps, act, told(writes, written, by), { first: chain });
    },
  };
}

/** The tenant of the object that a request names in its path; the caller's when there is none. */
export async function audienceOf(store: Store, { kind, object_id, tenant }: AuditedRequest) {
  // The path may hold something that is not an id, and the kind may have no objects: nothing is
  // found then.
  if (object_id === "" || object_id.length > 253) return tenant;
  const item = await store.get(objectKey(kind as Kind, object_id));
  return item ? objectIn(item).metadata.tenant : tenant;
}

/** An object that a transaction puts. */
interface Written {
  write: Put;
  object: ObjectOf[Kind];
  /** The object until then: the transaction is refused unless it was made from this state. */
  before: ObjectOf[Kind] | undefined;
}

/**
 * Only objects have events, other items have none. The state before is the one that the request has
 * read, if the transaction is conditional on it; otherwise it is read here.
 */
async function writtenBy(
  store: Store,
  writes: Write[],
  seen: ReadonlyMap<string, Item>,
): Promise<Written[]> {
  const puts = writes.flatMap((write) =>
    "put" in write && "event" in write.put ? [{ write, object: objectIn(write.put) }] : [],
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
    return { ...put, before: item && objectIn(item) };
  });
}

const isAtRevision = (condition: Condition | undefined, { revision }: Item): boolean =>
  condition?.test === "eq" && condition.path === "revision" && condition.value === revision;

/** The writes, with the actor in each new event. */
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
  store: Store,
  request: AuditedRequest,
  written: Written[],
): Promise<Change> {
  const operation = written.find(({ object }) => object.kind === "operation")?.object.id;
  const worked = operation === undefined ? {} : { operation };
  const about = written.find(({ object }) => object.kind === request.kind);
  if (!about) {
    const tenant = await audienceOf(store, request);
    return { tenant, object_id: request.object_id, ...worked };
  }
  const { write, object, before } = about;
  const goes = isAt(write.put, archiveKey(object.kind, object.id));
  return {
    tenant: object.metadata.tenant,
    object_id: object.id,
    ...worked,
    ...(before ? { before: seen(before) } : {}),
    ...(goes ? {} : { after: seen(object) }),
  };
}

const isAt = (item: Item, { pk, sk }: { pk: string; sk: string }): boolean =>
  item.pk === pk && item.sk === sk;

/** As administrators see it, with secrets masked or left out. */
const seen = (object: ObjectOf[Kind]): Wire => view(object, { profile: "slipway", private: true });
