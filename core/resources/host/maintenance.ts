import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { OperationId } from "../../id.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import { lineSchema } from "../../kernel/input/text.ts";
import { mustLoad } from "../../kernel/object/records.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import { readSwitch } from "../../kernel/request/maintenance-switch.ts";
import { oncePerCounter } from "../../kernel/store/once-per-counter.ts";
import type { Write } from "../../kernel/store/store.ts";
import { recount } from "../../placement/pool/counted.ts";
import { ownerIn } from "../../placement/pool/entries.ts";
import { isManaged } from "../../placement/pool/host.ts";
import { keepWrites, replaceWrites } from "../cluster/replace-host.ts";
import { isDeparting } from "../cluster/replacing.ts";
import { outOfPool, type Places, stillHeld } from "./care.ts";
import type { Host } from "./model.ts";
import { withServer } from "./server.ts";

/**
 * Maintenance: a person keeps a host out of the pool. A free host leaves the pool with the request. A cluster
 * replaces a host that it holds, and keeps it until then. A tenant's server is not replaced: its host leaves
 * the pool when the tenant releases it.
 */

export const maintenanceSchema = z.strictObject({
  tenant_message: lineSchema(1000)
    .optional()
    .describe("The reason for the host's tenant, without internal details."),
});
export type MaintenanceNote = z.output<typeof maintenanceSchema>;

/** The host after the request, the writes, and the operation that replaces the host, if one does. */
interface Change {
  writes: Write[];
  result: { object: Host; operation?: OperationId };
}

/**
 * Starts the maintenance of a host. A repeated request changes only the message for tenants; if the replacement
 * of the host failed, it starts again. Throws FailedPrecondition if its cluster cannot replace hosts, and
 * Unavailable while the intake is paused.
 */
export async function maintainWrites(
  deps: Deps,
  caller: Caller,
  host: Host,
  places: Places,
  note: MaintenanceNote,
): Promise<Change> {
  const { id, metadata } = host;
  const maintenance = { since: timestamp(deps.clock.now()), by: caller.user, ...note };
  const said = { ...(host.maintenance ?? maintenance), ...note };
  const isSame = isDeepStrictEqual(said, host.maintenance);
  const holder = await holderOf(deps, places);
  if (!holder) {
    if (isSame) return { writes: [], result: { object: host } };
    const { object, writes } = written<Host>(deps, host, { ...host, maintenance: said });
    return { writes: [...writes, ...outOfPool(object, places)], result: { object } };
  }
  if (holder.kind !== "cluster") {
    if (isSame) return { writes: [], result: { object: host } };
    const { object, writes } = written<Host>(deps, host, { ...host, maintenance: said });
    return { writes: [...writes, stillHeld(host, holder.id)], result: { object } };
  }
  const cluster = holder;
  if (host.maintenance && isDeparting(cluster, id)) {
    return { writes: [], result: { object: host } };
  }
  // While the intake is paused, clusters cannot be changed.
  if ((await readSwitch(deps.store, "intake")).paused)
    throw new AppError("Unavailable", "changes of clusters are paused at the moment");
  const replacing = replaceWrites(deps, caller, cluster, { id, name: metadata.name });
  const { operation } = replacing;
  const after = { ...maintenance, ...(operation !== undefined && { operation }) };
  const { object, writes } = written<Host>(deps, host, { ...host, maintenance: after });
  return {
    writes: [...writes, stillHeld(host, cluster.id), ...replacing.writes],
    result: { object, ...(operation !== undefined && { operation }) },
  };
}

/** The host without quarantine and retirement. */
export function inService({ failure: _, ...host }: Host): Host {
  return withServer(host, {
    quarantine: undefined,
    isRetired: undefined,
    isUncounted: undefined,
  });
}

/**
 * Ends the maintenance of a host, and its quarantine or retirement unless a saga works on it. A cluster that
 * still holds the host keeps it.
 */
export async function releaseWrites(deps: Deps, host: Host, places: Places): Promise<Change> {
  const { maintenance: _, ...rest } = host;
  const holder = await holderOf(deps, places);
  const isAtRest = isManaged(host) && !holder && !host.operation;
  const { object, writes } = written<Host>(deps, host, isAtRest ? inService(rest) : rest);
  if (!holder)
    return {
      writes: oncePerCounter([...writes, ...outOfPool(object, places), ...recount(host, object)]),
      result: { object },
    };
  return {
    writes: [
      ...writes,
      stillHeld(host, holder.id),
      ...(holder.kind === "cluster" ? keepWrites(deps, holder, host.id) : []),
    ],
    result: { object },
  };
}

async function holderOf(deps: Deps, { entry }: Places) {
  const holder = ownerIn(entry);
  return holder && mustLoad(deps, holder.kind, holder.id);
}
