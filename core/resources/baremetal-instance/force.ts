import * as z from "zod";
import { timestamp } from "../../clock.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import { load } from "../../kernel/object/records.ts";
import type { Acceptance } from "../../kernel/request/action.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import { deletionWrites } from "../../kernel/saga/delete.ts";
import { resumeWrites } from "../../kernel/saga/resume.ts";
import type { Forced } from "../../machine/boot.ts";
import { refuseAttachedServer } from "./attached.ts";
import type { BaremetalInstance } from "./model.ts";
import { instanceSagas } from "./sagas.ts";

/** The forced removal of a server whose deletion hangs. */

export const forceSchema = z.strictObject({
  is_off: z
    .boolean()
    .default(false)
    .describe(
      "Confirms that you saw the server off or without cables; for a server whose DPUs and controller are unreachable.",
    ),
});

export type ForceInput = z.output<typeof forceSchema>;

/**
 * Deletes a server, or continues its deletion, with short deadlines for controllers and DPUs that do not
 * answer. The server is isolated in any case; if its DPUs have not confirmed that, its host is quarantined.
 * Throws FailedPrecondition for a server in use.
 */
export async function forceWrites(
  deps: Deps,
  caller: Caller,
  server: BaremetalInstance,
  { is_off }: ForceInput,
): Promise<Acceptance<"baremetal_instance">> {
  const at = timestamp(deps.clock.now());
  const forced: Forced = { at, by: caller.user, ...(is_off && { is_off: true }) };
  const deletion = await deletionWrites<"baremetal_instance">(deps, caller, server, {
    saga: instanceSagas.delete,
    condemned: (instance) => ({ ...instance, forced }),
    further: (instance) => refuseAttachedServer(deps, instance),
  });
  const { operation: id } = deletion.result;
  // The first write of a new deletion marks it as forced.
  if (deletion.writes.length > 0 || id === undefined) return deletion;
  const { object, writes } = written(deps, server, { ...server, forced });
  const operation = await load(deps, "operation", id);
  const isStuck = operation?.status.state === "STUCK";
  const resumed = isStuck ? resumeWrites(deps, caller, operation).writes : [];
  return {
    writes: [...writes, ...resumed],
    result: { object, operation: id },
  };
}
