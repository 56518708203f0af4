import type * as z from "zod";
import type { Violation } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Deps } from "../deps.ts";
import type { Written } from "../events/rewrite.ts";
import type { Json, JsonObject } from "../input/shape.ts";
import type { MetadataInput } from "../object/metadata.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { Live } from "../object/wire-form.ts";
import type { Patience } from "../store/optimistically.ts";
import type { TransactionRefused, Write } from "../store/store.ts";
import type { Action } from "./action.ts";
import type { Caller } from "./caller.ts";
import type { Accepted, Match } from "./checks.ts";
import type { References } from "./references.ts";
import type { Secret } from "./secrets-of-request.ts";

/**
 * A kind of object that people write: what a request may contain, and what follows from it. Each such kind has its
 * definition in its folder, as the `rules` of its `api`.
 */
export interface Definition<K extends Kind, Input extends WireInput = WireInput> {
  kind: K;
  schema: z.ZodObject & z.ZodType<Input>;
  /**
   * The object's id is its name, so that a name alone is a reference. A request for another id is
   * refused, or the id is ignored.
   */
  idIsName?: "refused" | "ignored";
  /** A new object may leave out its name: the name follows from the id. */
  nameFromId?: boolean;
  /**
   * The tenant of a new object, unless the request names one: `caller` for the caller's own, but for the provider's people
   * the shared one; `own` for the caller's own always; `shared` for kinds that only the provider has; `itself` for a tenant.
   */
  tenant: "caller" | "own" | "shared" | "itself";
  /** What is left of a request of which the schema leaves nothing, so that its refusal names the other faults as well. */
  asFarAsValid?(body: Json): Input;
  /** How long a new object is tried while others write what it needs; for a kind whose objects all need the same. */
  patience?: Patience;
  /** Throws where a new object that the store refused is not to be built and tried again. */
  refused?(refusal: TransactionRefused, writes: Write[]): void;
  /** How sagas carry out the changes, for a kind whose objects are operated; without it each change is only written. */
  orders?: Orders<K>;
  /** Checks a request and makes the rest of the object from it; only reads. */
  build(request: Request<K, Input>): Promise<Built<K>>;
  /**
   * Further writes of the object's deletion. Throws FailedPrecondition when the object cannot be
   * deleted for a reason other than its use.
   */
  remove?(deps: Deps, object: ObjectOf[K]): Promise<Write[]>;
  live?: LiveStatus<K>;
  /**
   * The members that the answer to the creating request revealed, for its repetition under the same
   * key, as long as they are valid.
   */
  revealedBy?(deps: Deps, object: ObjectOf[K], input: Input): Promise<JsonObject | undefined>;
  /** References of the object's secrets, which are removed with it. */
  secrets?(object: ObjectOf[K]): string[];
}

/** A change that a client asks for: the object as the client sees it, and what it is to be. */
export interface Edit<K extends Kind> {
  shown(object: ObjectOf[K]): JsonObject;
  edited(shown: JsonObject): JsonObject;
}

/** What becomes of an accepted request that a saga carries out (`core/kernel/saga/orders.ts`). */
export interface Orders<K extends Kind> {
  /** A new object with the operation that makes it. */
  made(deps: Deps, caller: Caller, object: ObjectOf[K]): Ordered<K>;
  /** A changed object with the operation that brings the change about, if it needs one. */
  changed(deps: Deps, caller: Caller, before: ObjectOf[K], after: ObjectOf[K]): Ordered<K>;
  /** Orders again what an operation has failed at; absent for a kind of which that is deleted and ordered anew. */
  retry?: Action<K>;
  /** Accepts a deletion. `further` answers more writes of it, or throws for an object that has to stay. */
  deleted(
    deps: Deps,
    caller: Caller,
    deletion: { id: string; match: Match; further?: (object: ObjectOf[K]) => Promise<Write[]> },
  ): Promise<Accepted<K>>;
}

/** The object as it is accepted, the operation that its answer names, and what is written with it. */
export interface Ordered<K extends Kind> {
  object: ObjectOf[K];
  operation?: OperationId;
  writes: Write[];
}

/** Computed status members, added on every read (get and list) and never stored. */
export interface LiveStatus<K extends Kind> {
  members: readonly string[];
  /**
   * Reads these members for each object, in the order of the objects. Reads that do not depend on an
   * object begin before the objects are there.
   */
  read(deps: Deps, caller: Caller, objects: Promise<ObjectOf[K][]>): Promise<Live[]>;
}

/** The members of every input. */
export interface WireInput {
  id?: string | undefined;
  metadata: MetadataInput;
}

export interface Request<K extends Kind, Input> {
  deps: Deps;
  caller: Caller;
  id: string;
  tenant: string;
  input: Input;
  /** The object before the change; undefined for a new object. */
  before: ObjectOf[K] | undefined;
  /** Collects every broken rule. */
  violations: Violation[];
  /** Looks up the objects that the tenant refers to; a missing one is added to the violations. */
  references: References;
  /**
   * Begins to store the secret of a new object while the last of it is checked, where a refusal is unlikely by now. What
   * is built has the same `secret`.
   */
  storeEarly?(secret: Secret): void;
}

export interface Built<K extends Kind> {
  spec: ObjectOf[K]["spec"];
  /** The status of a new object; later only others write it. */
  status: ObjectOf[K]["status"];
  /** Members of the record, beside those that every record has. */
  record?: Partial<ObjectOf[K]>;
  /** Replaces metadata of a request for a new object. */
  metadata?: Partial<Pick<MetadataInput, "name" | "project">>;
  /** Further writes, in one transaction with the object's own. */
  writes?: Write[];
  /**
   * Claims what can run out, once nothing else refuses the request. Answers the object with what it got, and the writes of
   * the claim. Throws the error of a shortage, such as QuotaExceeded.
   */
  claim?(object: ObjectOf[K]): Promise<Written<ObjectOf[K]>>;
  /** A secret that is stored before the object that refers to it. */
  secret?: Secret;
  /** Members of the spec that only the answer to this request shows. */
  revealed?: JsonObject;
}
