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
import type { RequestDeps } from "./request-deps.ts";
import type { Secret } from "./secrets-of-request.ts";

/**
 * A kind of object that people write: the form of its requests, and the rules for them. Each such kind has its
 * definition in its folder, as the `rules` of its `api`. `D`: what its rules reach.
 */
export interface Definition<
  K extends Kind,
  Input extends WireInput = WireInput,
  D extends Deps = Deps,
> {
  kind: K;
  schema: z.ZodObject & z.ZodType<Input>;
  /**
   * The object's id is its name, so that a name alone is a reference. A request with another id is refused, or its id
   * is ignored.
   */
  idIsName?: "refused" | "ignored";
  /** A new object may leave out its name, which then follows from the id. */
  nameFromId?: boolean;
  /**
   * The tenant of a new object if its request names none. `caller`: the caller's own, or the shared tenant for
   * administrators of the provider; `own`: always the caller's own; `shared`: for kinds that only the provider
   * has; `itself`: for a tenant.
   */
  tenant: "caller" | "own" | "shared" | "itself";
  /** The valid part of a request that the schema refuses as a whole, so that the refusal names its other faults too. */
  asFarAsValid?(body: Json): Input;
  /**
   * How long a creation is retried while others write the same items; for a kind whose objects all need the same items.
   */
  patience?: Patience;
  /** Throws for a new object that must not be built again after the store has refused it. */
  refused?(refusal: TransactionRefused, writes: Write[]): void;
  /** The sagas of the changes, for kinds with operations. Without it, each change is only a write. */
  orders?: Orders<K>;
  /** Checks a request and builds the rest of the object from it; only reads. */
  build(request: Request<K, Input, D>): Promise<Built<K>>;
  /**
   * Further writes of the object's deletion. Throws FailedPrecondition when the object cannot be deleted for a reason
   * other than its use.
   */
  remove?(deps: D, object: ObjectOf[K]): Promise<Write[]>;
  live?: LiveStatus<K>;
  /**
   * Members that the answer to the creating request revealed. A repetition under the same key reveals them again, while
   * they are valid.
   */
  revealedBy?(deps: D, object: ObjectOf[K], input: Input): Promise<JsonObject | undefined>;
  /** References of the object's secrets, which are removed with it. */
  secrets?(object: ObjectOf[K]): string[];
}

/** A change by a client: the object as the client sees it, before and after. */
export interface Edit<K extends Kind> {
  shown(object: ObjectOf[K]): JsonObject;
  edited(shown: JsonObject): JsonObject;
}

/** The operations of accepted requests that a saga carries out (`core/kernel/saga/orders.ts`). */
export interface Orders<K extends Kind> {
  /** A new object with the operation that creates it. */
  made(deps: Deps, caller: Caller, object: ObjectOf[K]): Ordered<K>;
  /** A changed object with the operation that carries out the change, if it needs one. */
  changed(deps: Deps, caller: Caller, before: ObjectOf[K], after: ObjectOf[K]): Ordered<K>;
  /** Repeats the failed order of an object; absent for a kind whose failed objects are deleted and ordered anew. */
  retry?: Action<K>;
  /** Accepts a deletion. `further` answers more writes of it, or throws for an object that must not be deleted. */
  deleted(
    deps: Deps,
    caller: Caller,
    deletion: { id: string; match: Match; further?: (object: ObjectOf[K]) => Promise<Write[]> },
  ): Promise<Accepted<K>>;
}

/** An object as accepted, the operation that the answer names, and the writes with it. */
export interface Ordered<K extends Kind> {
  object: ObjectOf[K];
  operation?: OperationId;
  writes: Write[];
}

/** Computed status members, added on every read (get and list) and never stored. */
export interface LiveStatus<K extends Kind> {
  members: readonly string[];
  /**
   * Reads these members for each object, in the order of the objects. Reads that need no object begin before the
   * objects have arrived.
   */
  read(deps: Deps, caller: Caller, objects: Promise<ObjectOf[K][]>): Promise<Live[]>;
}

/** What a function has that applies rules; with the secret store if these have secrets. */
export type RulesDeps = Deps & Partial<Pick<RequestDeps, "secrets">>;

/** The members of every input. */
export interface WireInput {
  id?: string | undefined;
  metadata: MetadataInput;
}

export interface Request<K extends Kind, Input, D extends Deps = Deps> {
  deps: D;
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
   * Begins to store the secret of a new object during the last checks, when a refusal is unlikely. `build` answers the
   * same `secret`.
   */
  storeEarly?(secret: Secret): void;
}

export interface Built<K extends Kind> {
  spec: ObjectOf[K]["spec"];
  /** The status of a new object; later only others write it. */
  status: ObjectOf[K]["status"];
  /** Members of the record, beside the members of every record. */
  record?: Partial<ObjectOf[K]>;
  /** Metadata that replaces the request's, for a new object. */
  metadata?: Partial<Pick<MetadataInput, "name" | "project">>;
  /** Further writes, in one transaction with the object. */
  writes?: Write[];
  /**
   * Claims limited resources, once nothing else refuses the request. Answers the object with its claims, and
   * the writes of the claims. Throws the error of a shortage, such as QuotaExceeded.
   */
  claim?(object: ObjectOf[K]): Promise<Written<ObjectOf[K]>>;
  /** A secret that is stored before the object that refers to it. */
  secret?: Secret;
  /** Members of the spec that only the answer to this request shows. */
  revealed?: JsonObject;
}
