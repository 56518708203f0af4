import type * as z from "zod";
import type { Violation } from "../../error.ts";
import type { Deps } from "../deps.ts";
import type { JsonObject } from "../input/shape.ts";
import type { MetadataInput } from "../object/metadata.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { Write } from "../store/store.ts";
import type { Caller } from "./caller.ts";
import type { References } from "./references.ts";

/**
 * A kind of object that is written and read and needs no saga: what a request may say of it, and
 * what follows. A new kind has it in its folder, as the `rules` of its `api`.
 */
export interface Definition<K extends Kind, Input extends WireInput = WireInput> {
  kind: K;
  schema: z.ZodObject & z.ZodType<Input>;
  /** Its id is its name, so that a name alone is a reference; another that is asked for is refused, or ignored. */
  idIsName?: "refused" | "ignored";
  /** A new one may leave its name out: it follows from the id. */
  nameFromId?: boolean;
  /** Whose it is unless the request says otherwise; `shared` for what only the provider has, `itself` for a tenant. */
  tenant: "caller" | "shared" | "itself";
  /** Judges a request and makes the rest of the object of it; reads only. */
  build(request: Request<K, Input>): Promise<Built<K>>;
  /** What goes with it. Throws FailedPrecondition when it cannot go, beside its being used. */
  remove?(deps: Deps, object: ObjectOf[K]): Promise<Write[]>;
  live?: LiveStatus<K>;
  /**
   * What the answer to the request that made it revealed, for its repetition under the same key; as
   * long as that holds.
   */
  revealedBy?(deps: Deps, object: ObjectOf[K], input: Input): Promise<JsonObject | undefined>;
  /** References to secrets that are of no use without it. */
  secrets?(object: ObjectOf[K]): string[];
}

/** Computed status members, added on every read (get and list) and never stored. */
export interface LiveStatus<K extends Kind> {
  members: readonly string[];
  /** These members of each object, in their order; what takes no object to be asked begins before they are there. */
  read(deps: Deps, caller: Caller, objects: Promise<ObjectOf[K][]>): Promise<Live[]>;
}

/** Members of a status on the wire. */
export type Live = Record<string, unknown>;

/** What every input has. */
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
  /** Undefined for a new object. */
  before: ObjectOf[K] | undefined;
  /** Every rule that is broken goes in here. */
  violations: Violation[];
  /** Looks up what the tenant refers to; what is not there goes into the violations. */
  references: References;
}

export interface Built<K extends Kind> {
  spec: ObjectOf[K]["spec"];
  /** Of a new object; later it is others who write it. */
  status: ObjectOf[K]["status"];
  /** In place of what a request for a new object says. */
  metadata?: Partial<Pick<MetadataInput, "name" | "project">>;
  /** Go with the object's own, in one transaction. */
  writes?: Write[];
  /** Stored before the object that refers to it. */
  secret?: { reference: string; value: string };
  /** Members of the spec that the answer to this request shows, and no other. */
  revealed?: JsonObject;
}
