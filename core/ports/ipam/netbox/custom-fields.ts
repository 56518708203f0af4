import * as z from "zod";
import type { NumberPool } from "../ipam.ts";
import type { NetboxObject, NetboxObjectType } from "./object-type.ts";

/** The marks of Slipway's numbers on NetBox objects. */

/** The tag of everything that Slipway writes. It and the custom fields must exist beforehand. */
export const slipwayTag = "slipway";
export const customFields = {
  pool: "slipway_pool",
  holder: "slipway_holder",
  until: "slipway_rests_until",
} as const;

/** NetBox's status for each use of a number. */
export const statuses = { held: "active", resting: "deprecated", foreign: "reserved" } as const;
export type NumberUse = keyof typeof statuses;
const uses = Object.keys(statuses) as NumberUse[];

/** A NetBox object with Slipway's tag. */
export interface TaggedObject {
  /** NetBox's id of the object. */
  id: number;
  /**
   * The number; undefined, or outside the pool, if NetBox has allocated a number that the pool
   * lacks.
   */
  number: number | undefined;
  name: string | undefined;
  use: NumberUse;
  holder: string;
  /** The end of the rest, in milliseconds. */
  until: number;
}

/** Slipway's number of an object, by its tag; undefined if the object is not this pool's, or not ours. */
export function taggedOf(
  pool: NumberPool,
  type: NetboxObjectType,
  object: NetboxObject,
): TaggedObject | undefined {
  const { pool: of, holder, until } = customFieldsSchema.parse(object.custom_fields);
  const isOurs = object.tags.some(({ slug }) => slug === slipwayTag) && of === pool.name;
  const use = uses.find((each) => statuses[each] === object.status.value);
  if (!isOurs || !use) return undefined;
  const number = type.numberOf(object);
  return { id: object.id, number, name: object.name, use, holder, until };
}

/** Status, tag and custom fields of one of our objects. */
export const fieldsOf = (
  pool: NumberPool,
  use: NumberUse,
  holder: string | null,
  until: string | null = null,
) => ({
  status: statuses[use],
  tags: [{ slug: slipwayTag }],
  custom_fields: {
    [customFields.pool]: pool.name,
    [customFields.holder]: holder,
    [customFields.until]: until,
  },
});

const customFieldsSchema = z
  .object({
    [customFields.pool]: z.string().nullish(),
    [customFields.holder]: z.string().nullish(),
    [customFields.until]: z.string().nullish(),
  })
  .transform((fields) => ({
    pool: fields[customFields.pool] ?? "",
    holder: fields[customFields.holder] ?? "",
    // If a person has removed the end of a rest, the rest is over.
    until: Date.parse(fields[customFields.until] ?? "") || 0,
  }));
