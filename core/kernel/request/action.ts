import type * as z from "zod";
import type { JsonObject } from "../input/shape.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { optimistically } from "../store/optimistically.ts";
import type { Write } from "../store/store.ts";
import { type Caller, mustOwn } from "./caller.ts";
import { type Accepted, type Match, refuseStale } from "./checks.ts";
import type { RequestDeps } from "./request-deps.ts";

/**
 * A request for an object beside reading, changing and deleting it, such as the release of a host. A kind has a table
 * of its actions by verb, in its `api`: routes, reference, commands and documents follow from the table. The kind's
 * permissions say who may use each verb.
 */
export type Action<K extends Kind, Input = unknown> = Described<Input> &
  (InTransaction<K, Input> | ByItself<K, Input>);

export type Actions<K extends Kind> = Readonly<Record<string, Action<K>>>;

interface Described<Input> {
  /** A verb and a noun, such as `Release a host`. */
  summary: string;
  /** Its description, in sentences. */
  description: string;
  /** The end of its path after the object's id; the verb by default. */
  path?: string;
  /** The schema of the request's body; no body by default. */
  schema?: z.ZodType<Input>;
  /** A request that is valid by the schema. */
  example?: JsonObject;
  /** Its command, after the name of the kind; the verb by default. */
  command?: string;
  /** Whether it destroys something for good, so that the command asks first. */
  destroys: boolean;
  /** It grants or revokes access: its answer is never cached, and the audit entry is written first. */
  isCredential?: true;
  /** Whether a request may name, by `If-Match`, the versions of the object that it is meant for; it may by default. */
  takesVersion?: false;
}

interface InTransaction<K extends Kind, Input> {
  /** Checks a request against the object as it is now; only reads. Its result is written in one transaction. */
  accept(
    object: ObjectOf[K],
    request: ActionRequest<Input>,
  ): Acceptance<K> | Promise<Acceptance<K>>;
}

/** An action of more than one transaction, such as a call of another system. */
interface ByItself<K extends Kind, Input> {
  /** The schema of an answer other than the object. */
  answer?: () => z.ZodType;
  carryOut(request: ActionRequest<Input>): Promise<Accepted<K> | OwnAnswer>;
}

export interface ActionRequest<Input> {
  deps: RequestDeps;
  caller: Caller;
  id: string;
  match: Match;
  input: Input;
}

/** The writes of an accepted request, and its answer. */
export interface Acceptance<K extends Kind> {
  writes: Write[];
  result: Accepted<K>;
}

interface OwnAnswer {
  answer: object;
}

/** Carries out an action. Throws NotFound, Forbidden, PreconditionFailed, and the errors of the action. */
export function act<K extends Kind>(
  kind: K,
  action: InTransaction<K, unknown>,
  request: ActionRequest<unknown>,
): Promise<Accepted<K>>;
export function act<K extends Kind>(
  kind: K,
  action: Action<K>,
  request: ActionRequest<unknown>,
): Promise<Accepted<K> | OwnAnswer>;
export function act<K extends Kind>(
  kind: K,
  action: InTransaction<K, unknown> | ByItself<K, unknown>,
  request: ActionRequest<unknown>,
): Promise<Accepted<K> | OwnAnswer> {
  if ("carryOut" in action) return action.carryOut(request);
  const { deps, caller, id, match } = request;
  return optimistically<Accepted<K>>(deps.store, async () => {
    const object = await mustOwn(deps, caller, kind, id);
    refuseStale(object, match);
    return action.accept(object, request);
  });
}
