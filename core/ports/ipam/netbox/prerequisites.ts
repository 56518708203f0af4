import * as z from "zod";
import { addressOf, numberOf, startOf } from "../../../ipv4.ts";
import { lengthOf } from "../../../prefix.ts";
import type { NetboxApi } from "../../netbox/api.ts";
import type { NumberPool } from "../ipam.ts";
import { customFields, slipwayTag } from "./custom-fields.ts";
import type { NetboxParent } from "./object-type.ts";

/**
 * Objects that must exist in NetBox before numbers can be written to it; Slipway creates none of
 * them.
 */

const named = z.object({ id: z.int(), name: z.string() });
const tagSchema = named.extend({ slug: z.string() });
const groupSchema = z.object({ vid_ranges: z.array(z.tuple([z.int(), z.int()])) });
const prefixSchema = z.object({ prefix: z.string() });
const rangeSchema = z.object({ start_address: z.string(), end_address: z.string() });

/** Answers the missing objects, for people to read. Throws when NetBox does not answer. */
export async function missingInNetbox(
  api: NetboxApi,
  pools: readonly { pool: NumberPool; place: NetboxParent }[],
  givenOutBy: "slipway" | "netbox",
): Promise<string[]> {
  const tags = await api.all("/api/extras/tags/", tagSchema, { slug: slipwayTag });
  const fields = await api.all("/api/extras/custom-fields/", named, {
    name: Object.values(customFields),
  });
  const lacking = [
    ...(tags.some(({ slug }) => slug === slipwayTag) ? [] : [`tag ${slipwayTag}`]),
    ...Object.values(customFields)
      .filter((name) => !fields.some((field) => field.name === name))
      .map((name) => `custom field ${name}`),
  ];
  for (const { pool, place } of pools)
    lacking.push(...(await missingOfParent(api, pool, place, givenOutBy)));
  return lacking;
}

async function missingOfParent(
  api: NetboxApi,
  { first, size }: NumberPool,
  place: NetboxParent,
  givenOutBy: "slipway" | "netbox",
): Promise<string[]> {
  const last = first + size - 1;
  switch (place.of) {
    case "vlans": {
      const path = `/api/ipam/vlan-groups/${place.group}/`;
      const { vid_ranges } = await api.read(path, groupSchema);
      const span = `ids from ${first} to ${last}`;
      const isWithin = vid_ranges.every(([from, to]) => from >= first && to <= last);
      // NetBox allocates any id of the group, and accepts none outside it.
      if (givenOutBy === "netbox")
        return isWithin ? [] : [`VLAN group ${place.group} with ${span} alone`];
      const ids = Array.from({ length: size }, (_, n) => first + n);
      const hasAll = ids.every((id) => vid_ranges.some(([from, to]) => from <= id && id <= to));
      return hasAll ? [] : [`VLAN group ${place.group} with all ${span}`];
    }
    case "prefixes": {
      const { prefix } = await api.read(`/api/ipam/prefixes/${place.parent}/`, prefixSchema);
      const isSame =
        startOf(prefix) === startOf(place.cidr) && lengthOf(prefix) === lengthOf(place.cidr);
      return isSame ? [] : [`prefix ${place.parent} that is ${place.cidr}`];
    }
    case "addresses": {
      const path = `/api/ipam/ip-ranges/${place.range}/`;
      const { start_address, end_address } = await api.read(path, rangeSchema);
      const isSame = hostOf(start_address) === first && hostOf(end_address) === last;
      const span = `from ${addressOf(first)} to ${addressOf(last)}`;
      return isSame ? [] : [`IP range ${place.range} ${span}`];
    }
  }
}

const hostOf = (address: string): number => numberOf(address.split("/")[0] ?? "");
