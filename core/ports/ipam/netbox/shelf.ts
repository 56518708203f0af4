import * as z from "zod";
import { addressOf, numberOf, placeOf, prefixAt, prefixesOf } from "../../../ipv4.ts";
import type { Query } from "../../netbox/api.ts";
import type { NumberPool } from "../ipam.ts";

/** Where the numbers of a pool are in NetBox, by the id that NetBox has for each place. */
export type NetboxPlace =
  | { of: "vlans"; group: number }
  /** Prefixes of this length in the one that has the id; the number of each is its place in it. */
  | { of: "prefixes"; parent: number; cidr: string; length: number }
  | { of: "addresses"; range: number };

/** VLANs, prefixes and addresses as NetBox's API has them: what of them the allocator reads. */
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

/** How one sort of numbers is asked for and told apart. */
export interface Shelf {
  /** The path of the objects. */
  path: string;
  /** The path that gives out free ones. */
  available: string;
  /** Whether each object has a name, which is unique in its place. */
  hasNames: boolean;
  /** Filters that leave the objects of the pool's numbers; every NetBox knows them. */
  within(pool: NumberPool): Query;
  /** Filters that leave the objects with this number. */
  at(number: number): Query;
  /** The members of an object that make it this number. */
  members(number: number): object;
  /** The members of a request for a free one. */
  wish: object;
  /** Undefined for an object that is no number of such a pool. */
  numberOf(object: NetboxObject): number | undefined;
}

export function shelfOf(place: NetboxPlace): Shelf {
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

const vlans = ({ group }: Extract<NetboxPlace, { of: "vlans" }>): Shelf => ({
  path: "/api/ipam/vlans/",
  available: `/api/ipam/vlan-groups/${group}/available-vlans/`,
  hasNames: true,
  within: (pool) => ({ group_id: group, vid__gte: pool.first, vid__lte: lastOf(pool) }),
  at: (vid) => ({ group_id: group, vid }),
  members: (vid) => ({ group, vid }),
  wish: {},
  numberOf: ({ vid }) => vid,
});

const prefixes = ({ parent, cidr, length }: Extract<NetboxPlace, { of: "prefixes" }>): Shelf => ({
  path: "/api/ipam/prefixes/",
  available: `/api/ipam/prefixes/${parent}/available-prefixes/`,
  hasNames: false,
  within: () => ({ within: cidr, mask_length: length }),
  at: (place) => ({ prefix: prefixAt(cidr, length, place) }),
  members: (place) => ({ prefix: prefixAt(cidr, length, place) }),
  wish: { prefix_length: length },
  numberOf: ({ prefix }) => (prefix === undefined ? undefined : placeOf(cidr, length, prefix)),
});

const addresses = ({ range }: Extract<NetboxPlace, { of: "addresses" }>): Shelf => ({
  path: "/api/ipam/ip-addresses/",
  available: `/api/ipam/ip-ranges/${range}/available-ips/`,
  hasNames: false,
  within: (pool) => ({ parent: prefixesOf(pool.first, lastOf(pool)) }),
  at: (number) => ({ address: addressOf(number) }),
  members: (number) => ({ address: `${addressOf(number)}/32` }),
  wish: {},
  numberOf: ({ address }) =>
    address === undefined ? undefined : numberOf(address.split("/")[0] ?? ""),
});
