import { AppError, type Violation } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { JsonObject } from "../input/shape.ts";
import { archiveKey, nameKey, objectKey } from "../object/keys.ts";
import { definitionOf } from "../object/kind.ts";
import type { Metadata, MetadataInput } from "../object/metadata.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { Records } from "../object/records.ts";
import { type Item, type Key, transactionLimit, type Write } from "../store/store.ts";
import type { Caller } from "./caller.ts";
import type { Idempotency } from "./idempotency.ts";

/** The answer to an accepted request. */
export interface Accepted<K extends Kind> {
  object: ObjectOf[K];
  /** The operation that does the work, if the kind has operations. */
  operation?: OperationId;
  /** The request was already accepted under the same Idempotency-Key. */
  replayed?: boolean;
  /** Members of the spec that only this answer shows. */
  revealed?: JsonObject;
}

export interface CreateOptions {
  idempotency?: Idempotency;
}

/** The versions of the object for which a request is meant. */
export interface Match {
  /** If-Match: one of the versions that the caller names; else PreconditionFailed. */
  ifVersion?: readonly number[];
}

export interface UpdateOptions extends Match {
  /** `lock`: the version that the caller has read; else Conflict. */
  lock?: number;
}

/** The most writes of one request: a transaction without its entry in the audit. */
export const writeLimit = transactionLimit - 2;

/** Throws Invalid for a change that needs too many writes, such as of all labels and many node sets. */
export function refuseTooMuch(writes: Write[]): void {
  if (writes.length <= writeLimit) return;
  const message = `the change needs ${writes.length} writes at once; ${writeLimit} is the limit`;
  throw new AppError("Invalid", `${message}: make it in parts, such as the labels first`);
}

export function newMetadata(
  input: MetadataInput,
  caller: Caller,
  tenant: string,
  time: string,
): Metadata {
  const { name, project, labels = {}, annotations = {}, display_name, description } = input;
  return {
    name,
    tenant,
    ...(project ? { project } : {}),
    labels,
    annotations,
    ...(display_name ? { display_name } : {}),
    ...(description ? { description } : {}),
    creator: caller.user,
    creation_timestamp: time,
  };
}

/**
 * Refuses an id that a tenant chose. Ids are unique across tenants, so the refusal of a used id would reveal
 * other tenants' objects. Only the provider's administrators may choose ids.
 */
export function refuseChosen(
  caller: Caller,
  { id }: { id?: string | undefined },
  violations: Violation[],
): void {
  if (id !== undefined && !caller.everywhere)
    violations.push({ field: "id", message: "is chosen by Slipway; leave it out" });
}

/** The keys whose items show that a name, or an id that the request chose, is taken. */
export const takenKeys = (
  kind: Kind,
  {
    id,
    tenant,
    project = "",
    name,
  }: Partial<Metadata> & { id?: string | undefined; tenant: string },
): Key[] => [
  ...(name === undefined ? [] : [nameKey(kind, tenant, project, name)]),
  ...(id === undefined ? [] : [objectKey(kind, id), archiveKey(kind, id)]),
];

/**
 * Throws AlreadyExists when the id or the name is taken; the transaction checks this again. Answers the
 * archived object that had the id before.
 */
export async function refuseTaken(
  { store, kinds }: Records,
  kind: Kind,
  { id, chosen, metadata }: { id: string; chosen: boolean; metadata: Metadata },
): Promise<Item | undefined> {
  const label = kind.replaceAll("_", " ");
  // A generated id is new, so only a chosen one needs the check.
  const keys = takenKeys(kind, { ...metadata, ...(chosen && { id }) });
  const [named, live, archived] = await store.getMany(keys);
  if (named)
    throw new AppError("AlreadyExists", `${label} with name '${metadata.name}' already exists`);
  const isOver = definitionOf(kinds, kind).isForGood === true && archived !== undefined;
  if (chosen && (live || isOver))
    throw new AppError("AlreadyExists", `${label} with identifier '${id}' already exists`);
  return archived;
}

/** Throws when the caller's version is not the current one. */
export function refuseStale(object: ObjectOf[Kind], { lock, ifVersion }: UpdateOptions): void {
  if (lock !== undefined && lock !== object.generation) {
    const versions = `requested version is ${lock} but current version is ${object.generation}`;
    throw new AppError(
      "Conflict",
      `object with identifier '${object.id}' has been modified: ${versions}`,
    );
  }
  if (ifVersion && !ifVersion.includes(object.generation)) {
    throw new AppError(
      "PreconditionFailed",
      `object with identifier '${object.id}' is at version ${object.generation}`,
    );
  }
}
