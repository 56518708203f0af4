import * as z from "zod";
import { apiKinds } from "../../resources/api.ts";
import { kinds } from "../../resources/kinds.ts";
import type { Kind } from "./object.ts";

/**
 * What tenants see of each kind: what administrators see, without its private members. So the public
 * view has nothing that the private one has not.
 */
export function publicSchema(kind: Kind): z.ZodObject {
  const made = known.get(kind) ?? withoutPrivate(kind);
  known.set(kind, made);
  return made;
}

/** Each is made when it is first asked for, and is the same from then on. */
const known = new Map<Kind, z.ZodObject>();

/** The schema itself for a kind without private members. */
function withoutPrivate(kind: Kind): z.ZodObject {
  const { privateMembers = [] } = kinds[kind];
  const { schema } = apiKinds[kind];
  return privateMembers.reduce((rest, path) => schemaWithout(rest, path.split(".")), schema);
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
