import { addressOf, numberOf } from "../../core/resources/site/model.ts";

/** Arithmetic of IPv4 prefixes; a span includes its last address. */

export interface Span {
  first: number;
  last: number;
}

export const hostOf = (address: string): number => numberOf(address.split("/")[0] ?? "");
export const maskOf = (address: string): number => Number(address.split("/")[1] ?? 32);

export function spanOf(prefix: string): Span {
  const size = 2 ** (32 - maskOf(prefix));
  const first = Math.floor(hostOf(prefix) / size) * size;
  return { first, last: first + size - 1 };
}

export const contains = (outer: Span, inner: Span): boolean =>
  outer.first <= inner.first && inner.last <= outer.last;

/** The prefixes of a span's free part, as large as can be, in the order of their addresses. */
export function freePrefixes(whole: Span, taken: Span[]): string[] {
  const found: string[] = [];
  let next = whole.first;
  for (const { first, last } of [...taken, { first: whole.last + 1, last: whole.last }].sort(
    (a, b) => a.first - b.first,
  )) {
    while (next < first) {
      const aligned = next === 0 ? 2 ** 32 : next & -next;
      let size = aligned < 0 ? 2 ** 31 : aligned;
      while (next + size > first) size /= 2;
      found.push(`${addressOf(next)}/${32 - Math.log2(size)}`);
      next += size;
    }
    next = Math.max(next, last + 1);
  }
  return found;
}
