import { hours, minutes } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { Action } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { forgetNetworks, isolate, lateDpu } from "../dpu/of-host.ts";
import { systems } from "../systems.ts";

/**
 * Makes sure that the fabric has the host in no network any more, nor its DPUs, before anything else is done to it:
 * its owner took it off before releasing it, and they may know otherwise.
 */
async function refuseAttached(host: Host, context: StepContext<Host>): Promise<void> {
  const { spec, metadata } = host;
  const { deps } = context;
  if (host.dpus) await isolate(host, context);
  await forgetNetworks(host, context);
  const late = await lateDpu(host, context);
  if (late !== undefined) throw new AppError("Unavailable", late);
  const hub = await mustLoad(deps, "hub", spec.hub);
  if (hub.spec.site === undefined) return;
  const { fabric } = await deps.sites.systems(hub.spec.site);
  const attached = await fabric?.attached(spec.nics.map(({ mac }) => mac));
  if (!attached || attached.length === 0) return;
  const message = `host ${metadata.name} to leave its network; the fabric still has ${attached.join(", ")} there`;
  throw new AppError("Unavailable", message);
}

export const leaveNetworks: Action<Host> = {
  system: systems.fabric,
  act: refuseAttached,
  effects: "none",
  deadline: hours(2),
  usually: minutes(1),
};
