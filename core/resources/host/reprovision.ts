import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import type { Write } from "../../kernel/store/store.ts";
import { ownerIn } from "../../placement/pool/entries.ts";
import { silentDpu } from "../../placement/pool/silent-dpu.ts";
import { outOfPool, type Places, startWrites, stillHeld } from "./care.ts";
import type { Host } from "./model.ts";
import { isErased, serverOf, withServer } from "./server.ts";

/**
 * Requests that the DPUs of a host are installed again before its next order. A free host leaves the pool and
 * is provisioned at once; a held one, after its release. Throws FailedPrecondition for a host without DPUs, and
 * while a saga works on it.
 */
export function reprovisionWrites(
  deps: Deps,
  { user: by }: Caller,
  host: Host,
  places: Places,
): { writes: Write[]; result: { object: Host } } {
  const { id, operation, dpus = [] } = host;
  const why =
    dpus.length === 0 ? "it has no DPUs" : operation && `operation '${operation}' works on it`;
  if (why)
    throw new AppError("FailedPrecondition", `host '${id}' cannot be provisioned anew: ${why}`);
  const wanted: Host = { ...host, reinstall: { since: timestamp(deps.clock.now()), by } };
  const holder = ownerIn(places.entry);
  // Silent DPUs cause no event that would start this work.
  if (!holder && silentDpu(host) && isErased(host))
    return startWrites(deps, host, places, {
      work: "discover",
      by,
      decided: withServer(wanted, { condition: "CLEAN" }),
    });
  const isReady = !holder && serverOf(host).condition === "READY";
  const after = isReady ? withServer(wanted, { condition: "CLEAN" }) : wanted;
  const { object, writes } = written(deps, host, after);
  const more = holder ? [stillHeld(host, holder.id)] : outOfPool(object, places);
  return { writes: [...writes, ...more], result: { object } };
}
