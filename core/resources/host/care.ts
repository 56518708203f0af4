import type { OperationId } from "../../id.ts";
import type { Deps } from "../../kernel/deps.ts";
import { poolKey, standbyKey } from "../../kernel/object/hub-keys.ts";
import { load } from "../../kernel/object/records.ts";
import { startOperation } from "../../kernel/saga/start-operation.ts";
import { oncePerCounter } from "../../kernel/store/once-per-counter.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { eq, type Item, type Write } from "../../kernel/store/store.ts";
import { standbyOf, standbyWrites } from "../../placement/hot-pools/standby.ts";
import { ownerIn, poolPlaceOf, withdrawHost } from "../../placement/pool/entries.ts";
import { hostOwnerOf, isManaged, isWhole } from "../../placement/pool/host.ts";
import type { Host } from "./model.ts";
import { operated } from "./operated.ts";
import { sagaFor } from "./sagas.ts";
import { type HostWork, serverOf, withServer } from "./server.ts";

/**
 * Determines the next work on a host, and starts the operation for it. It depends only on the
 * present records, so it can run at any time: after each change of a host, and in sweeps.
 */

type CareDeps = Pick<Deps, "store" | "kinds" | "clock" | "newId">;

/** The creator of operations that no user requested. */
export const creator = "slipway";

/** The work that a free host needs; undefined if it needs none. */
export function workFor(host: Host): HostWork | undefined {
  const { condition, quarantine, isRetired } = serverOf(host);
  if (!isManaged(host) || host.operation || quarantine || hostOwnerOf(host)) return undefined;
  if (condition === "USED") return "clean";
  if (isRetired || host.maintenance) return condition === "READY" ? "switch_off" : undefined;
  if (host.firmware_update && isWhole(host)) return "update_firmware";
  return standbyOf(host) === "idle" ? "discover" : undefined;
}

/**
 * Starts the work that a free host needs, if any. If its hub has a hot pool of its type, the pool decides which
 * servers are discovered.
 */
export async function careForHost(deps: CareDeps, id: string): Promise<void> {
  await optimistically(deps.store, async () => {
    const nothing = { writes: [], result: undefined };
    const host = await load(deps, "host", id);
    const work = host && workFor(host);
    if (!host || !work) return nothing;
    if (work === "discover" && (await hasHotPool(deps, host))) return nothing;
    const places = await placesOf(deps, host);
    if (ownerIn(places.entry)) return nothing;
    return { ...startWrites(deps, host, places, { work, by: creator }), result: undefined };
  });
}

async function hasHotPool(deps: CareDeps, { spec }: Host): Promise<boolean> {
  const hub = await load(deps, "hub", spec.hub);
  return hub?.spec.hot_pools?.[spec.host_type] !== undefined;
}

/** A host's entry in the pool and its entry among the standby servers. */
export interface Places {
  entry: Item | undefined;
  standby: Item | undefined;
}

/** Reads both entries of a host. Strongly consistent. */
export async function placesOf(
  { store }: Pick<Deps, "store">,
  { id, spec: { hub, host_type: hostType } }: Host,
): Promise<Places> {
  const keys = [poolKey(hub, hostType, id), standbyKey(hub, hostType, id)];
  const [entry, standby] = await store.getMany(keys);
  return { entry, standby };
}

/** The start of an operation on a host: its writes and its result. */
interface Start {
  writes: Write[];
  result: { object: Host; operation: OperationId };
}

/**
 * The start of an operation on a free host, which leaves the pool in the same transaction. `decided` is the
 * host with other changes of that transaction.
 */
export function startWrites(
  deps: CareDeps,
  host: Host,
  places: Places,
  { work, by, decided = host }: { work: HostWork; by: string; decided?: Host },
): Start {
  const start = { saga: sagaFor(decided, work), creator: by };
  const { writes, result } = startOperation(deps, host, start, (operation) =>
    operated.started(withServer(decided, { work }), operation),
  );
  return { writes: [...writes, ...outOfPool(result.object, places)], result };
}

/** Writes that go with a change of a free host, after which nobody can claim it. */
export function outOfPool(host: Host, { entry, standby }: Places): Write[] {
  const { id, spec } = host;
  const place = poolPlaceOf(spec);
  const stillOut = { check: poolKey(place.hub, place.hostType, id), if: eq("state", "out") };
  return oncePerCounter([
    ...(entry?.state === "out" ? [stillOut] : withdrawHost(place, id, entry)),
    ...standbyWrites(place, id, standby, standbyOf(host)),
  ]);
}

/**
 * A check that this holder still has the host; if the host was released meanwhile, the request is evaluated
 * again.
 */
export const stillHeld = ({ id, spec }: Host, holder: string): Write => ({
  check: poolKey(spec.hub, spec.host_type, id),
  if: eq("owner", holder),
});
