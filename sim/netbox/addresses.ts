import { numberOf, prefixesOf, startOf } from "../../core/ipv4.ts";
import { lengthOf } from "../../core/prefix.ts";

/** Arithmetic of IPv4 prefixes; a span includes its last address. */

export interface Span {
  first: number;
  last: number;
}

export const hostOf = (address: string): number => numberOf(address.split("/")[0] ?? "");

export function spanOf(prefix: string): Span {
  const first = startOf(prefix);
  return { first, last: first + 2 ** (32 - lengthOf(prefix)) - 1 };
}

export const contains = (outer: Span, inner: Span): boolean =>
  outer.first <= inner.first && inner.last <= outer.last;

/** The free prefixes of a span, as large as possible, in the order of their addresses. */
export function freePrefixes(whole: Span, taken: Span[]): string[] {
  const found: string[] = [];
  let next = whole.first;
  for (const { first, last } of taken.toSorted((a, b) => a.first - b.first)) {
    if (next < first) found.push(...prefixesOf(next, first - 1));
    next = Math.max(next, last + 1);
  }
  return next > whole.last ? found : [...found, ...prefixesOf(next, whole.last)];
}
