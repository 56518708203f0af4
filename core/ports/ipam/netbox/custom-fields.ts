import * as z from "zod";
import type { NumberPool } from "../ipam.ts";
import type { NetboxObject, NetboxObjectType } from "./object-type.ts";

/** How an object of NetBox says that it is a number of ours. */

/** The tag of everything that Slipway writes. It and the custom fields have to be there before. */
export const slipwayTag = "slipway";
export const customFields = {
  pool: "slipway_pool",
  holder: "slipway_holder",
  until: "slipway_rests_until",
} as const;

/** What a number is in use for, by the status that NetBox shows. */
export const statuses = { held: "active", resting: "deprecated", foreign: "reserved" } as const;
export type NumberUse = keyof typeof statuses;
const uses = Object.keys(statuses) as NumberUse[];

/** A number that Slipway has written into NetBox. */
export interface TaggedObject {
  /** NetBox's id of the object. */
  id: number;
  /** Undefined, or outside of the pool, where NetBox has allocated what the pool has not. */
  number: number | undefined;
  name: string | undefined;
  use: NumberUse;
  holder: string;
  /** The end of its rest, in milliseconds. */
  until: number;
}

/** The number of ours that an object is, by its tag; undefined for an object that is not of this pool, or not ours. */
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

/** Status, tag and custom fields of an object of ours. */
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
    // A rest whose end a person has removed is over.
    until: Date.parse(fields[customFields.until] ?? "") || 0,
  }));
