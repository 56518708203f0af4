import { minutes } from "../../../core/clock.ts";
import type { Context } from "../../../core/kernel/saga/context.ts";
import { type ServerAddress, withOpen } from "../../../core/ports/bare-metal/servers.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import { hasApplied } from "../../../core/resources/dpu/network.ts";

/** A DPU that is not heard for so long is silent: that it is heard is written down every ten minutes. */
const silence = minutes(15);

/**
 * Tells a dead DPU from a site that is away. Where a DPU has not told what is wanted and has long been silent, the
 * controller of its host (or its own) is asked. Throws Unavailable where that does not answer either: nobody knows
 * anything of the DPU then, and the time of the step stands still.
 */
export async function refuseAway(
  dpus: readonly Dpu[],
  controller: ServerAddress,
  { deps }: Pick<Context, "deps">,
): Promise<void> {
  const now = deps.clock.now();
  const isSilent = (dpu: Dpu) => !hasApplied(dpu) && now - lastHeard(dpu) > silence;
  if (!dpus.some(isSilent)) return;
  await withOpen(deps.servers, controller, (server) => server.observe());
}

/** When a DPU was heard last (ms), by its agent or at the end of its installation; never is long ago. */
const lastHeard = ({ heard_at: heard, told }: Dpu): number =>
  Math.max(...[heard, told?.discovery?.at].map((at) => (at === undefined ? 0 : Date.parse(at))));
