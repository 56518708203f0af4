import { minutes } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { areConfirmedWhereInstalled, dpusOf, forgetNetworks, isolate } from "../dpu/of-host.ts";
import { refuseAway } from "../dpu/refuse-away.ts";
import { systems } from "../systems.ts";

/**
 * Removes tenants' networks from a host's DPUs, and checks that the fabric has the host in none. The owner
 * detached the host before its release, but DPUs and fabric may differ.
 */
async function leaveAll(host: Host, context: StepContext<Host>): Promise<void> {
  await isolate(host, context);
  await forgetNetworks(host, context);
  await refuseAttached(host, context);
  await refuseAway(await dpusOf(host, context), context);
}

async function refuseAttached(
  { spec, metadata }: Host,
  { deps }: StepContext<Host>,
): Promise<void> {
  const hub = await mustLoad(deps, "hub", spec.hub);
  if (hub.spec.site === undefined) return;
  const { fabric } = await deps.sites.systems(hub.spec.site);
  const attached = await fabric?.attached(spec.nics.map(({ mac }) => mac));
  if (!attached || attached.length === 0) return;
  const message = `host ${metadata.name} to leave its network; the fabric still has ${attached.join(", ")} there`;
  throw new AppError("Unavailable", message);
}

export const leaveNetworks: StepAction<Host> = {
  system: systems.fabric,
  act: leaveAll,
  look: leaveAll,
  until: areConfirmedWhereInstalled,
  effects: "none",
  deadline: minutes(30),
  usually: minutes(1),
};
