import type { HostId } from "../id.ts";
import type { Placed, Placement } from "../kernel/object/traits.ts";

/**
 * The hosts of an owner that are on their way out. A mark says something only of a host that the
 * owner holds, so marks are always made of the record that they are written to. Pure.
 */

/** The hosts that leave. */
export function leavingOf({ hosts, leaving }: Placement): HostId[] {
  const held = new Set(Object.values(hosts).flat());
  return leaving?.filter((host) => held.has(host)) ?? [];
}

/** The placement with these hosts on their way out, of those that it has. */
export function withLeaving(placement: Placement, hosts: readonly HostId[]): Placement {
  const { leaving: _, ...rest } = placement;
  const leaving = leavingOf({ ...rest, leaving: [...hosts] });
  return leaving.length > 0 ? { ...rest, leaving } : rest;
}

/** How many hosts each set is to have. */
type Sizes = Readonly<Record<string, { size: number }>>;

/** Of each set, how many hosts it has too many for these sizes, less those that leave. */
export function excess(placement: Placement, sizes: Sizes): Map<string, number> {
  const marked = new Set(placement.leaving);
  return new Map(
    Object.entries(placement.hosts).map(([set, hosts]) => {
      const staying = hosts.filter((host) => !marked.has(host)).length;
      return [set, Math.max(0, staying - (sizes[set]?.size ?? 0))];
    }),
  );
}

/** The owner with as many of these hosts on their way out as it has too many; undefined when none is new. */
export function letLeave<O extends Placed>(
  owner: O,
  sizes: Sizes,
  free: ReadonlySet<string>,
): O | undefined {
  const { placement } = owner;
  if (!placement) return undefined;
  const left = excess(placement, sizes);
  const marked = new Set(placement.leaving);
  const found = Object.entries(placement.hosts).flatMap(([set, hosts]) =>
    hosts.filter((host) => !marked.has(host) && free.has(host)).slice(0, left.get(set)),
  );
  if (found.length === 0) return undefined;
  return { ...owner, placement: withLeaving(placement, [...marked, ...found]) };
}
