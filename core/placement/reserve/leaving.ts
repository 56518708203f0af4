import type { HostId } from "../../id.ts";
import type { Placed, Placement } from "../../kernel/object/traits.ts";

/**
 * The hosts of an owner that will leave it. A host can leave only while the owner holds it, so the marks are always
 * computed from the record that they are written to. Pure.
 */

/** The hosts that leave. */
export function leavingOf({ hosts, leaving }: Placement): HostId[] {
  const held = new Set(Object.values(hosts).flat());
  return leaving?.filter((host) => held.has(host)) ?? [];
}

/** The placement with these hosts marked as leaving, if it has them. */
export function withLeaving(placement: Placement, hosts: readonly HostId[]): Placement {
  const { leaving: _, ...rest } = placement;
  const leaving = leavingOf({ ...rest, leaving: [...hosts] });
  return leaving.length > 0 ? { ...rest, leaving } : rest;
}

/** The desired number of hosts of each set. */
type Sizes = Readonly<Record<string, { size: number }>>;

/** The number of surplus hosts of each set for these sizes, not counting hosts that are leaving already. */
export function excess(placement: Placement, sizes: Sizes): Map<string, number> {
  const marked = new Set(placement.leaving);
  return new Map(
    Object.entries(placement.hosts).map(([set, hosts]) => {
      const staying = hosts.filter((host) => !marked.has(host)).length;
      return [set, Math.max(0, staying - (sizes[set]?.size ?? 0))];
    }),
  );
}

/** The owner with surplus hosts marked as leaving, chosen from these; undefined when no mark is new. */
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
