import type { Deps } from "../../kernel/deps.ts";
import { rewritten } from "../../kernel/events/rewrite.ts";
import { poolKey } from "../../kernel/object/keys.ts";
import { load, putChanged, putNew } from "../../kernel/object/records.ts";
import { newOperation } from "../../kernel/saga/new-operation.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { eq, type Item, type Write } from "../../kernel/store/store.ts";
import { ownerOf } from "../../placement/host.ts";
import { ownerIn, withdrawHost } from "../../placement/pool.ts";
import type { Host } from "./model.ts";
import { operated } from "./operated.ts";
import { hostSagas } from "./sagas.ts";
import { type HostWork, isManaged, serverOf, withServer } from "./server.ts";

/**
 * What a host needs next, and the start of the operation that does it. The rule reads the present records
 * alone, so it may be asked at any time and by anybody: after each change of a host, and by sweeps.
 */

type CareDeps = Pick<Deps, "store" | "kinds" | "clock" | "newId">;

/** Who starts operations that nobody has asked for. */
const creator = "slipway";

/** The work that a host needs that nobody holds; undefined for one that is to stay as it is. */
export function workFor(host: Host): HostWork | undefined {
  const { condition, quarantine, isRetired } = serverOf(host);
  if (!isManaged(host) || host.operation || quarantine || ownerOf(host)) return undefined;
  if (condition === "USED") return "clean";
  if (isRetired || host.spec.unschedulable) return condition === "READY" ? "switch_off" : undefined;
  return condition === "READY" && host.status.agent?.gone !== true ? undefined : "discover";
}

/** Starts the work that a host needs, if it needs any and nobody holds it. */
export async function careForHost(deps: CareDeps, id: string): Promise<void> {
  await optimistically(deps.store, async () => {
    const host = await load(deps, "host", id);
    const work = host && workFor(host);
    if (!host || !work) return { writes: [], result: undefined };
    const entry = await deps.store.get(poolKey(host.spec.hub, host.spec.host_type, id));
    if (ownerIn(entry)) return { writes: [], result: undefined };
    return { writes: startWrites(deps, host, entry, work, creator), result: undefined };
  });
}

/**
 * The writes that start an operation on a host that nobody holds. The host leaves the pool with them, so
 * that nobody can claim it meanwhile.
 */
export function startWrites(
  deps: CareDeps,
  host: Host,
  entry: Item | undefined,
  work: HostWork,
  by: string,
): Write[] {
  const operation = newOperation(deps, {
    saga: hostSagas[work],
    change: "UPDATE",
    target: host,
    creator: by,
  });
  const started = operated.started(withServer(host, { work }), operation.id);
  const { hub, host_type: hostType } = host.spec;
  const place = { hub, hostType };
  const outOfPool: Write[] =
    entry?.state === "out"
      ? [{ check: poolKey(hub, hostType, host.id), if: eq("state", "out") }]
      : withdrawHost(place, host.id, entry !== undefined);
  return [
    putChanged(deps.kinds, rewritten(deps.kinds, host, started, deps.clock.now())),
    ...putNew(deps.kinds, operation),
    ...outOfPool,
  ];
}
