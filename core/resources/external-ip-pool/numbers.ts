import { minutes } from "../../clock.ts";
import type { NumberPool } from "../../ports/ipam/ipam.ts";
import { addressAt, placeIn, prefixSize } from "../../prefix.ts";
import type { ExternalIpPoolSpec } from "./model.ts";

/** The addresses of a pool as numbers: an address's number is its place in the sequence of all prefixes. Pure. */

/** The number of addresses in all prefixes. */
export const totalOf = (cidrs: readonly string[]): number =>
  cidrs.reduce((sum, cidr) => sum + prefixSize(cidr), 0);

interface Numbered {
  id: string;
  spec: Pick<ExternalIpPoolSpec, "cidrs" | "rest_minutes">;
}

/** The pool of numbers for an external IP pool. */
export const numbersOfPool = ({ id, spec }: Numbered): NumberPool => ({
  name: `external_ips#${id}`,
  first: 0,
  size: totalOf(spec.cidrs),
  rest: minutes(spec.rest_minutes),
});

/** The address for a number. Throws RangeError for a number beyond the prefixes. */
export function addressWith(cidrs: readonly string[], number: number): string {
  let place = number;
  for (const cidr of cidrs) {
    if (place < prefixSize(cidr)) return addressAt(cidr, place);
    place -= prefixSize(cidr);
  }
  throw new RangeError(`there is no address ${number} in ${cidrs.join(", ")}`);
}

/** The number of an address; undefined for an address outside of the prefixes. */
export function numberWith(cidrs: readonly string[], address: string): number | undefined {
  let before = 0;
  for (const cidr of cidrs) {
    const place = placeIn(cidr, address);
    if (place !== undefined) return before + place;
    before += prefixSize(cidr);
  }
  return undefined;
}
