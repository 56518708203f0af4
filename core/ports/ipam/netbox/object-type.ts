import * as z from "zod";
import { addressOf, numberOf, prefixAt, prefixesOf, prefixIndexOf } from "../../../ipv4.ts";
import type { NetboxQuery } from "../../netbox/api.ts";
import type { NumberPool } from "../ipam.ts";

/** The parent of a pool's objects in NetBox, by its id: a VLAN group, a prefix or an IP range. */
export type NetboxParent =
  | { of: "vlans"; group: number }
  /** Prefixes of this length in the parent prefix; the number of each is its index. */
  | { of: "prefixes"; parent: number; cidr: string; length: number }
  | { of: "addresses"; range: number };

/** The members of VLANs, prefixes and addresses that the allocator reads from NetBox's API. */
export const objectSchema = z.object({
  id: z.int(),
  name: z.string().optional(),
  vid: z.int().optional(),
  prefix: z.string().optional(),
  address: z.string().optional(),
  status: z.object({ value: z.string() }),
  tags: z.array(z.object({ slug: z.string() })),
  custom_fields: z.record(z.string(), z.unknown()),
});
export type NetboxObject = z.infer<typeof objectSchema>;

/** A NetBox object type (VLAN, prefix, IP address) whose objects stand for a pool's numbers. */
export interface NetboxObjectType {
  /** The path of the object list. */
  path: string;
  /** The path that allocates a free one. */
  available: string;
  /** Whether each object has a name, unique within its parent. */
  hasNames: boolean;
  /** Filters for the pool's objects; every NetBox version has them. */
  within(pool: NumberPool): NetboxQuery;
  /** Filters for the objects with this number. */
  withNumber(number: number): NetboxQuery;
  /** The fields of an object with this number. */
  fields(number: number): object;
  /** The fields of an allocation request. */
  request: object;
  /** The number of an object; undefined if such a pool cannot have it. */
  numberOf(object: NetboxObject): number | undefined;
}

export function objectTypeOf(place: NetboxParent): NetboxObjectType {
  switch (place.of) {
    case "vlans":
      return vlans(place);
    case "prefixes":
      return prefixes(place);
    case "addresses":
      return addresses(place);
  }
}

const lastOf = ({ first, size }: NumberPool): number => first + size - 1;

const vlans = ({ group }: Extract<NetboxParent, { of: "vlans" }>): NetboxObjectType => ({
  path: "/api/ipam/vlans/",
  available: `/api/ipam/vlan-groups/${group}/available-vlans/`,
  hasNames: true,
  within: (pool) => ({ group_id: group, vid__gte: pool.first, vid__lte: lastOf(pool) }),
  withNumber: (vid) => ({ group_id: group, vid }),
  fields: (vid) => ({ group, vid }),
  request: {},
  numberOf: ({ vid }) => vid,
});

const prefixes = ({
  parent,
  cidr,
  length,
}: Extract<NetboxParent, { of: "prefixes" }>): NetboxObjectType => ({
  path: "/api/ipam/prefixes/",
  available: `/api/ipam/prefixes/${parent}/available-prefixes/`,
  hasNames: false,
  within: () => ({ within: cidr, mask_length: length }),
  withNumber: (place) => ({ prefix: prefixAt(cidr, length, place) }),
  fields: (place) => ({ prefix: prefixAt(cidr, length, place) }),
  request: { prefix_length: length },
  numberOf: ({ prefix }) =>
    prefix === undefined ? undefined : prefixIndexOf(cidr, length, prefix),
});

const addresses = ({ range }: Extract<NetboxParent, { of: "addresses" }>): NetboxObjectType => ({
  path: "/api/ipam/ip-addresses/",
  available: `/api/ipam/ip-ranges/${range}/available-ips/`,
  hasNames: false,
  within: (pool) => ({ parent: prefixesOf(pool.first, lastOf(pool)) }),
  withNumber: (number) => ({ address: addressOf(number) }),
  fields: (number) => ({ address: `${addressOf(number)}/32` }),
  request: {},
  numberOf: ({ address }) =>
    address === undefined ? undefined : numberOf(address.split("/")[0] ?? ""),
});
