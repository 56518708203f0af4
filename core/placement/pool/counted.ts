import { isDeepStrictEqual } from "node:util";
import type { Write } from "../../kernel/store/store.ts";
import { type PoolPlace, poolPlaceOf } from "./entries.ts";
import { type Host, isManaged } from "./host.ts";
import { countHost } from "./host-counts.ts";

/** Counts the hosts of a hub: all registered hosts except retired ones. */

/** The place where a host counts; none while it is retired, since it can serve nobody. */
export const countedPlace = (host: Host | undefined): PoolPlace | undefined =>
  host && !(isManaged(host) && host.server?.isUncounted) ? poolPlaceOf(host.spec) : undefined;

/** Counts a host that moves, is retired, or returns from retirement. */
export function recount(before: Host, after: Host): Write[] {
  const [from, to] = [countedPlace(before), countedPlace(after)];
  return isDeepStrictEqual(from, to) ? [] : countHost(from, to);
}
