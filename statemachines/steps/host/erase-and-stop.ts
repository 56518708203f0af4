import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { isErased } from "../../../core/resources/host/server.ts";
import { eraseDrives } from "./erase.ts";
import { powerOff } from "./power.ts";

/**
 * Erases the drives. An erasure may leave the server on with an image in its virtual drive; without a later
 * step for that in the definition, this step also switches it off.
 */
export function eraseAndStop(later: string): StepAction<Host> {
  const isStopped = ({ operation }: Context): boolean => later in operation.steps;
  const run = async (
    effect: "act" | "look",
    host: Host,
    context: StepContext<Host>,
  ): Promise<void> => {
    await eraseDrives[effect]?.(host, context);
    if (isStopped(context)) return;
    const now = await context.latest();
    if (isErased(now)) await powerOff[effect]?.(now, context);
  };
  return {
    ...eraseDrives,
    act: (host, context) => run("act", host, context),
    look: (host, context) => run("look", host, context),
    until: async (host, context) => {
      const erased = await eraseDrives.until?.(host, context);
      const next = isStopped(context) || !erased?.done ? undefined : powerOff.until;
      return (await next?.(host, context)) ?? erased ?? { done: true };
    },
  };
}
