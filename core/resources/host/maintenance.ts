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
 * Maintenance: a person keeps a host out of the pool. The host that nobody holds leaves the pool with the
 * request. A cluster replaces the host that it holds; until then the host stays where it is. A tenant's server is not
 * replaced: its host leaves the pool once the tenant has released it.
 */

export const maintenanceSchema = z.strictObject({
  tenant_message: lineSchema(1000)
    .optional()
    .describe("Why, for a tenant whose server stands on the host: nothing of the host's insides."),
});
export type MaintenanceNote = z.output<typeof maintenanceSchema>;

/** The host as it is from now on, what has to be written with that, and the operation that continues with it. */
interface Change {
  writes: Write[];
  result: { object: Host; operation?: OperationId };
}

/**
 * Takes a host into maintenance. Asked again it changes what tenants are told, and nothing else, unless the operation that was to replace the
 * host has ended without that: then another one starts. Throws FailedPrecondition where its cluster can
 * replace nothing, Unavailable while the intake is paused.
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
  // While the intake is paused nobody changes a cluster.
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

/** The host that is quarantined or retired no more. */
export function inService({ failure: _, ...host }: Host): Host {
  return withServer(host, {
    quarantine: undefined,
    isRetired: undefined,
    isUncounted: undefined,
  });
}

/**
 * Ends the maintenance of a host, and that it is quarantined or retired unless a saga works on it. A cluster that
 * has not let it go keeps it.
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
