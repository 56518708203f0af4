import { archiveKey, objectKey } from "../object/keys.ts";
import { definitionOf } from "../object/kind.ts";
import type { Actor, Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { isOfObject, itemWithEvent, objectIn, type Records } from "../object/records.ts";
import { type Rendering, render } from "../object/view.ts";
import type { Wire } from "../object/wire-form.ts";
import { keyId, keyOf } from "../store/check.ts";
import {
  absent,
  type Item,
  type Put,
  type Store,
  type Write,
  type WriteCondition,
} from "../store/store.ts";
import { type AuditDeps, appendAudits } from "./chain.ts";
import type { AuditAct } from "./entry.ts";

/** A request as the audit records it: who requests what. Its result is not known yet. */
export interface AuditedRequest {
  actor: AuditAct["actor"];
  on_behalf_of?: AuditAct["on_behalf_of"];
  source: string;
  request_id: string;
  /** The kind of object in the route. */
  kind: string;
  verb: string;
  /** The object's id in the path; empty for a new object. */
  object_id: string;
  /** The caller's tenant, for a request without an object. */
  tenant: string;
}

/**
 * The store of one request that changes something. Each of its transactions also adds the changes of the
 * request's object to the audit, and names the actor in every event. So code that accepts requests need not
 * know about audit or actors, and no change can bypass them.
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
    count: (query) => store.count(query),
    async transact(writes, options) {
      const written = await writtenBy(deps, writes, seen);
      const [change, ...others] = await changesIn(deps, request, written);
      const actOf = (each: AuditedChange) =>
        ({ ...request, ...each, result: "AUDIT_RESULT_ACCEPTED" }) as const;
      await appendAudits(deps, [actOf(change), ...others.map(actOf)], told(writes, written, by), {
        first: chain,
        options,
      });
    },
  };
}

/** The tenant of the object in a request's path; the caller's tenant if the path names no object. */
export async function audienceOf(
  { store, kinds }: Pick<Records, "kinds"> & { store: Pick<Store, "get"> },
  { kind, object_id, tenant }: AuditedRequest,
) {
  // The path may have an invalid id, or a kind without objects: then nothing is found.
  if (object_id === "" || object_id.length > 253) return tenant;
  const item = await store.get(objectKey(kind as Kind, object_id));
  return item ? objectIn(kinds, item).metadata.tenant : tenant;
}

/** An object that a transaction puts. */
interface Written {
  write: Put;
  object: ObjectOf[Kind];
  /** The object before the transaction, which is refused if the object has changed since. */
  before: ObjectOf[Kind] | undefined;
}

/**
 * The objects that the transaction writes, each with its previous state. The state is the one that the request has
 * read, if the transaction checks its revision; otherwise it is read here.
 */
async function writtenBy(
  { store, kinds }: Records,
  writes: Write[],
  seen: ReadonlyMap<string, Item>,
): Promise<Written[]> {
  const puts = writes.flatMap((write) =>
    "put" in write && isOfObject(write.put) ? [{ write, object: objectIn(kinds, write.put) }] : [],
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

const isAtRevision = (condition: WriteCondition | undefined, { revision }: Item): boolean =>
  condition?.test === "eq" && condition.attribute === "revision" && condition.value === revision;

/** The writes, with the actor in each new event. */
function told(writes: Write[], written: Written[], by: Actor): Write[] {
  return writes.map((write) => {
    const found = written.find((each) => each.write === write);
    if (!found || found.before?.event.sequence === found.object.event.sequence) return write;
    const event = { ...found.object.event, by };
    return { ...found.write, put: itemWithEvent(found.write.put, event) };
  });
}

type AuditedChange = Pick<AuditAct, "tenant" | "object_id" | "operation" | "before" | "after">;

/** The transaction's changes of the request's object, or of each object where the request creates several. */
async function changesIn(
  deps: Records & Rendering,
  request: AuditedRequest,
  written: Written[],
): Promise<[AuditedChange, ...AuditedChange[]]> {
  // An operation is always written together with its target, so the audit entry is about the target.
  const operations = written.flatMap(({ object: { kind, id } }) =>
    definitionOf(deps.kinds, kind).attached ? [id] : [],
  );
  const of = (n: number) => (operations[n] === undefined ? {} : { operation: operations[n] });
  const [about, ...more] = written.filter(({ object }) => object.kind === request.kind);
  if (!about) {
    const tenant = await audienceOf(deps, request);
    return [{ tenant, object_id: request.object_id, ...of(0) }];
  }
  const made = about.before || request.object_id !== "" ? [] : more.filter(({ before }) => !before);
  return [changeOf(deps, about, of(0)), ...made.map((each, n) => changeOf(deps, each, of(n + 1)))];
}

function changeOf(
  deps: Rendering,
  written: Written,
  worked: Pick<AuditAct, "operation">,
): AuditedChange {
  const { object, before } = written;
  return {
    tenant: object.metadata.tenant,
    object_id: object.id,
    ...worked,
    ...(before ? { before: seen(deps, before) } : {}),
    ...(isArchived(written) ? {} : { after: seen(deps, object) }),
  };
}

const isArchived = ({ write, object }: Written): boolean =>
  isAt(write.put, archiveKey(object.kind, object.id));

const isAt = (item: Item, { pk, sk }: { pk: string; sk: string }): boolean =>
  item.pk === pk && item.sk === sk;

/** The object as administrators see it: secrets are absent or masked. */
const seen = (rendering: Rendering, object: ObjectOf[Kind]): Wire =>
  render(rendering, object, { profile: "slipway", private: true });
