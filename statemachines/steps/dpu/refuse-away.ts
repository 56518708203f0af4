import { isSiteHeard } from "../../../core/at-site/reach.ts";
import { minutes } from "../../../core/clock.ts";
import { AppError, toAppError } from "../../../core/error.ts";
import { load, mustLoad } from "../../../core/kernel/object/records.ts";
import type { Context, StepDeps } from "../../../core/kernel/saga/context.ts";
import { withOpen } from "../../../core/ports/bare-metal/servers.ts";
import { endsOf } from "../../../core/resources/dpu/ends.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import { hasApplied } from "../../../core/resources/dpu/network.ts";
import { controllerOf } from "../../../core/resources/host/server.ts";

/** A DPU that has not reported for this long is silent. Its last report is recorded every ten minutes. */
const silence = minutes(15);

const hasNotApplied = (dpu: Dpu): boolean => !hasApplied(dpu);

/**
 * Distinguishes dead DPUs from an unreachable site. If the DPUs of a step and all others of the site have long
 * been silent, asks the controller of a host. Throws Unavailable if that does not answer either: the DPU's
 * state is unknown then, and the step's deadline is extended. `isAwaited`: the DPUs that the step waits for.
 */
export async function refuseAway(
  dpus: readonly Dpu[],
  { deps }: Pick<Context<StepDeps>, "deps">,
  isAwaited: (dpu: Dpu) => boolean = hasNotApplied,
): Promise<void> {
  const now = deps.clock.now();
  const silent = dpus.filter((dpu) => isAwaited(dpu) && now - lastHeard(dpu) > silence);
  // One DPU of each hub is enough, because its site's controllers answer for all.
  for (const dpu of new Map(silent.map((each) => [each.hub, each])).values()) {
    const { site } = (await mustLoad(deps, "hub", dpu.hub)).spec;
    if (site !== undefined && (await isSiteHeard(deps, site))) continue;
    const host = await load(deps, "host", dpu.spec.host.id);
    if (!host) continue;
    try {
      await withOpen(deps.servers, controllerOf(host), (server) => server.observe());
    } catch (thrown) {
      const error = toAppError(thrown);
      // A controller that refuses is reachable, and so is its site.
      if (!error.retryable && error.kind !== "Internal") continue;
      const said = `DPU ${dpu.metadata.name} is silent as its site is, and ${error.message}`;
      throw new AppError(error.kind, said, { cause: error });
    }
  }
}

/** Distinguishes dead DPUs from an unreachable site, for the DPUs that are ends of a network. */
export const refuseEndsAway = async (network: string, context: Pick<Context<StepDeps>, "deps">) =>
  refuseAway(await endsOf(context.deps, network), context);

/** When a DPU last reported (ms), by its agent or at the end of its installation; 0 if never. */
const lastHeard = ({ heard_at: heard, told }: Dpu): number =>
  Math.max(...[heard, told?.discovery?.at].map((at) => (at === undefined ? 0 : Date.parse(at))));
