import type { Kind } from "../model/object.ts";
import type { ObjectOf } from "../model/object-of.ts";
import { archiveKey, objectKey } from "../store/keys.ts";
import { objectIn } from "../store/records.ts";
import type { Item, Store, Write } from "../store/store.ts";
import { view, type Wire } from "../view/view.ts";
import { type AuditDeps, appendAudit } from "./chain.ts";
import type { AuditAct } from "./entry.ts";

/** A request as the audit names it: who asks for what, before it is known what comes of it. */
export interface AuditedRequest {
  actor: AuditAct["actor"];
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
 * audit what it does to the object that the request is about. So whoever accepts a request needs
 * not know of the audit, and nothing is changed without it.
 */
export function auditedStore(deps: AuditDeps, request: AuditedRequest): Store {
  const { store } = deps;
  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    async transact(writes) {
      const change = await changeIn(store, request, writes);
      await appendAudit(deps, { ...request, ...change, result: "AUDIT_RESULT_ACCEPTED" }, writes);
    },
  };
}

/** The tenant of the object that a request names in its path; the caller's when there is none. */
export async function audienceOf(store: Store, { kind, object_id, tenant }: AuditedRequest) {
  // What is in a path may be no id, nor the kind one of objects: then nothing is found.
  if (object_id === "" || object_id.length > 253) return tenant;
  const item = await store.get(objectKey(kind as Kind, object_id));
  return item ? objectIn(item).metadata.tenant : tenant;
}

type Change = Pick<AuditAct, "tenant" | "object_id" | "operation" | "before" | "after">;

async function changeIn(store: Store, request: AuditedRequest, writes: Write[]): Promise<Change> {
  const operation = objectsIn(writes, "operation")[0]?.id;
  const worked = operation === undefined ? {} : { operation };
  const written = objectsIn(writes, request.kind)[0];
  if (!written) {
    const tenant = await audienceOf(store, request);
    return { tenant, object_id: request.object_id, ...worked };
  }
  const { kind, id } = written;
  // The transaction is refused unless this is what it was made from.
  const item = await store.get(objectKey(kind, id));
  const goes = writes.some((write) => "put" in write && isAt(write.put, archiveKey(kind, id)));
  return {
    tenant: written.metadata.tenant,
    object_id: id,
    ...worked,
    ...(item ? { before: seen(objectIn(item)) } : {}),
    ...(goes ? {} : { after: seen(written) }),
  };
}

/** Objects of a kind that these writes put; other items have no event. */
function objectsIn(writes: Write[], kind: string): ObjectOf[Kind][] {
  return writes.flatMap((write) =>
    "put" in write && write.put.kind === kind && "event" in write.put ? [objectIn(write.put)] : [],
  );
}

const isAt = (item: Item, { pk, sk }: { pk: string; sk: string }): boolean =>
  item.pk === pk && item.sk === sk;

/** As administrators see it: secrets are not in it, or masked. */
const seen = (object: ObjectOf[Kind]): Wire => view(object, { profile: "slipway", private: true });
