import type { OperationId } from "../../id.ts";
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
    return { ...startWrites(deps, host, entry, work, creator), result: undefined };
  });
}

/** An operation that starts on a host: the writes, and what they bring about. */
interface Start {
  writes: Write[];
  result: { object: Host; operation: OperationId };
}

/** The start of an operation on a host that nobody holds; the host leaves the pool with it. */
export function startWrites(
  deps: CareDeps,
  host: Host,
  entry: Item | undefined,
  work: HostWork,
  by: string,
): Start {
  const operation = newOperation(deps, {
    saga: hostSagas[work],
    change: "UPDATE",
    target: host,
    creator: by,
  });
  const started = operated.started(withServer(host, { work }), operation.id);
  const object = rewritten(deps.kinds, host, started, deps.clock.now());
  const writes = [
    putChanged(deps.kinds, object),
    ...putNew(deps.kinds, operation),
    ...keepOut(host, entry),
  ];
  return { writes, result: { object, operation: operation.id } };
}

/** The writes after which nobody can claim a host that nobody holds by this entry. */
export function keepOut(
  { id, spec: { hub, host_type: hostType } }: Host,
  entry: Item | undefined,
): Write[] {
  if (entry?.state === "out")
    return [{ check: poolKey(hub, hostType, id), if: eq("state", "out") }];
  return withdrawHost({ hub, hostType }, id, entry !== undefined);
}
