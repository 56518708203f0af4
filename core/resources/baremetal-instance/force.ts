import * as z from "zod";
import { timestamp } from "../../clock.ts";
import type { Deps } from "../../kernel/deps.ts";
import { changeObject } from "../../kernel/events/rewrite.ts";
import { load } from "../../kernel/object/records.ts";
import { type Caller, mustOwn } from "../../kernel/request/caller.ts";
import type { Accepted } from "../../kernel/request/checks.ts";
import { acceptDeletion } from "../../kernel/saga/delete.ts";
import { resumeOperation } from "../../kernel/saga/resume.ts";
import type { Forced } from "../machine/boot.ts";
import { refuseAttached } from "./attached.ts";
import type { BaremetalInstance } from "./model.ts";
import { instanceSagas } from "./sagas.ts";

/** The removal of a server whose deletion does not come to its end by itself. */

export const forceSchema = z.strictObject({
  is_off: z
    .boolean()
    .default(false)
    .describe(
      "You have seen that the server is off, or has no cables: said where neither its DPUs nor its controller can tell.",
    ),
});

/**
 * Deletes a server, or has its deletion go on, with hardly any patience for a controller or a DPU that does not answer.
 * It is isolated all the same, and its host is set aside where that was not proved by its DPUs. Throws NotFound, and
 * FailedPrecondition for one that is in use.
 */
export async function removeByForce(
  deps: Deps,
  caller: Caller,
  id: string,
  { is_off }: z.output<typeof forceSchema>,
): Promise<Accepted<"baremetal_instance">> {
  const before = await mustOwn(deps, caller, "baremetal_instance", id);
  const forced: Forced = {
    at: timestamp(deps.clock.now()),
    by: caller.user,
    ...(is_off && { is_off: true }),
  };
  const withForce = (instance: BaremetalInstance) => ({ ...instance, forced });
  if (before.metadata.deletion_timestamp)
    await changeObject(deps, "baremetal_instance", id, withForce);
  const accepted = await acceptDeletion(deps, caller, {
    kind: "baremetal_instance",
    id,
    saga: instanceSagas.delete,
    condemned: withForce,
    further: (instance) => refuseAttached(deps, instance),
  });
  const operation = accepted.operation && (await load(deps, "operation", accepted.operation));
  if (operation?.status.state === "STUCK") await resumeOperation(deps, caller, operation.id);
  return accepted;
}
