import * as z from "zod";
import { definitionOf, type Kinds } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";
import { type ApiKinds, apiOf } from "./api-of.ts";

/** The schemas of the API's answers, by kind and area. */
export class WireSchemas {
  readonly #kinds: Kinds;
  readonly #apiKinds: ApiKinds;
  /** Each schema is built on first use and then kept. */
  readonly #public = new Map<Kind, z.ZodObject>();

  constructor(kinds: Kinds, apiKinds: ApiKinds) {
    this.#kinds = kinds;
    this.#apiKinds = apiKinds;
  }

  /** The schema of the answer to administrators. */
  private(kind: Kind): z.ZodObject {
    return apiOf(this.#apiKinds, kind).schema;
  }

  /**
   * The schema of the answer to tenants: that to administrators without the kind's private members, so tenants never
   * see a member that administrators do not. For a kind without private members both schemas are the same object.
   */
  public(kind: Kind): z.ZodObject {
    const { privateMembers = [] } = definitionOf(this.#kinds, kind);
    const made =
      this.#public.get(kind) ??
      privateMembers.reduce(
        (rest, path) => schemaWithout(rest, path.split(".")),
        this.private(kind),
      );
    this.#public.set(kind, made);
    return made;
  }
}

function schemaWithout(schema: z.ZodObject, [name = "", ...rest]: string[]): z.ZodObject {
  const member: z.core.$ZodType | undefined = schema.shape[name];
  if (member === undefined) throw new Error(`there is no member '${name}' to keep private`);
  if (rest.length === 0) {
    const left = Object.entries(schema.shape).filter(([each]) => each !== name);
    return z.object(Object.fromEntries(left));
  }
  const isOptional = member instanceof z.ZodOptional;
  const inner = isOptional ? member.unwrap() : member;
  const isList = inner instanceof z.ZodArray && rest[0] === "*";
  const element = isList ? inner.element : inner;
  if (!(element instanceof z.ZodObject))
    throw new Error(`'${name}' has no members to keep private`);
  const left = schemaWithout(element, isList ? rest.slice(1) : rest);
  const part = isList ? z.array(left) : left;
  const whole = isOptional ? part.optional() : part;
  const description = z.globalRegistry.get(member)?.description;
  return schema.extend({ [name]: description === undefined ? whole : whole.describe(description) });
}
