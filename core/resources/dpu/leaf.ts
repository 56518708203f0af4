import type { Site } from "../../at-site/site.ts";
import { minutes } from "../../clock.ts";
import { addressOf, numberOf } from "../../ipv4.ts";
import type { Holder } from "../../kernel/claim/holder.ts";
import type { NumberPool } from "../../ports/ipam/ipam.ts";
import type { Dpu } from "./model.ts";

/** The numbers of a DPU as a leaf of its site's fabric: a loopback address and an ASN. */

export const leafNumbers = ["loopback", "asn"] as const;
export type LeafNumber = (typeof leafNumbers)[number];

const members = { loopback: "loopbacks", asn: "asns" } as const satisfies Record<
  LeafNumber,
  keyof NonNullable<Site["spec"]["machines"]>
>;

/** The names of these numbers in messages about a shortage. */
export const leafWords: Record<LeafNumber, string> = {
  loopback: "loopbacks of DPUs",
  asn: "ASNs of DPUs",
};

/** The time before a number of a deleted DPU is reused, because switches may still know its routes. */
const rest = minutes(10);

const nameOf = (site: string, use: LeafNumber): string => `${members[use]}#${site}`;

/** The pool of a site for this use; undefined if the site has none. */
export function leafPool({ id, spec }: Site, use: LeafNumber): NumberPool | undefined {
  const range = spec.machines?.[members[use]];
  if (!range) return undefined;
  const [first, last] = [range.first, range.last].map((end) =>
    typeof end === "number" ? end : numberOf(end),
  ) as [number, number];
  return { name: nameOf(id, use), first, size: last - first + 1, rest };
}

/** The pool of a number that a DPU has, with only the members that a release needs. */
export const poolOfNumber = (site: string, use: LeafNumber): NumberPool => ({
  name: nameOf(site, use),
  ...{ first: 0, size: 0, rest },
});

export const leafHolder = (id: string, site: string, use: LeafNumber): Holder<"dpu"> => ({
  kind: "dpu",
  id,
  held: ({ numbers }) => (numbers?.[use] === undefined ? [] : [numbers[use]]),
  hold: (dpu, [number = 0]) => ({ ...dpu, numbers: { site, ...dpu.numbers, [use]: number } }),
  release({ numbers, ...dpu }) {
    const { [use]: _, ...others } = numbers ?? { site };
    return { ...dpu, numbers: { ...others, site } };
  },
});

/** A DPU's configuration as a leaf; undefined until it has both numbers. */
export function leafOf({ numbers }: Pick<Dpu, "numbers">) {
  if (numbers?.asn === undefined || numbers.loopback === undefined) return undefined;
  return { asn: numbers.asn, loopback: addressOf(numbers.loopback) };
}
