import { isDeepStrictEqual } from "node:util";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import type { Removal } from "../../../core/ports/fabric/fabric.ts";
import type { Owner } from "../../../core/ports/owner.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import { wayOutVersion } from "../../../core/resources/dpu/overlay.ts";
import { hasBoth } from "../../../core/resources/nat-gateway/claim.ts";
import type { NatGateway } from "../../../core/resources/nat-gateway/model.ts";
import { endsHaving, lateEnd, overlayInWords, renewEnds } from "../dpu/overlay.ts";
import { refuseEndsAway } from "../dpu/refuse-away.ts";
import { note, noteBegun, noteRemoval, siteOf, siteStatusOf } from "../site/site.ts";
import { isOverdue, setAside } from "./give-up-dpu.ts";

/**
 * The NAT gateway of a network: an address to which the network's router translates, or in an overlay each of its
 * ends.
 */

type Step = StepContext<NatGateway>;

/** Makes the router of the network translate to the address. */
export async function openWayOut(gateway: NatGateway, context: Step): Promise<void> {
  const here = await siteOf(gateway, context);
  if (!here?.networks) return;
  const { address } = gateway;
  const what = `the way out by ${address}`;
  await noteBegun("way_out", what, gateway, context);
  const seen = await here.networks.ensureWayOut(ownerOfNetwork(gateway), { address });
  await note("way_out", siteStatusOf(seen, what), context);
}

/** Makes the router drop the address, unless another gateway uses it. */
export async function closeWayOut(gateway: NatGateway, context: Step): Promise<void> {
  const here = await siteOf(gateway, context);
  if (!here?.networks) return;
  const { address } = gateway;
  const removal: Removal = (await hasBoth(context.deps, gateway))
    ? await here.networks.removeWayOut(ownerOfNetwork(gateway), { address })
    : { state: "absent" };
  await noteRemoval("way_out", removal, context);
}

/** Makes every end of the network translate to the address. */
export const openAtEnds = (gateway: NatGateway, context: Step): Promise<void> =>
  renewedWith(gateway, context, ({ given_up: _, ...current }) => ({ ...current, opened: true }));

/** Makes every end drop the address; ends that do not report that in time are given up. */
export async function closeAtEnds(gateway: NatGateway, context: Step): Promise<void> {
  await renewedWith(gateway, context, ({ opened: _, ...current }) => current);
  const late = isOverdue(context) ? await endsToClose(gateway, context) : [];
  if (late.length === 0) return;
  const what = `address ${gateway.address} was to be its network's way out no more`;
  for (const dpu of late) await setAside(dpu, what, context);
  const more = late.map(({ id, wanted }) => ({ dpu: id, version: wanted?.version ?? 0 }));
  await context.change((current) => ({
    ...current,
    given_up: [...(current.given_up ?? []), ...more],
  }));
}

async function renewedWith(
  { spec }: NatGateway,
  context: Step,
  edit: (current: NatGateway) => NatGateway,
): Promise<void> {
  await context.change((current) => {
    const after = edit(current);
    return isDeepStrictEqual(after, current) ? undefined : after;
  });
  await renewEnds(spec.virtual_network.id, context);
  await refuseEndsAway(spec.virtual_network.id, context);
}

/** An end that has not reported the translation yet, in words. */
export const lateToOpen = ({ id, spec }: NatGateway, context: Context) =>
  lateEnd(spec.virtual_network.id, { id, version: wayOutVersion }, context);

/** An end that translates, or may, and is not given up, in words. */
export async function lateToClose(
  gateway: NatGateway,
  context: Context,
): Promise<string | undefined> {
  const [end] = await endsToClose(gateway, context);
  return end && overlayInWords(end);
}

async function endsToClose(
  { id, spec, given_up: givenUp = [] }: NatGateway,
  context: Pick<Context, "deps">,
): Promise<Dpu[]> {
  const ends = await endsHaving(spec.virtual_network.id, id, context);
  return ends.filter((end) => !givenUp.some(({ dpu }) => dpu === end.id));
}

const ownerOfNetwork = ({ spec, metadata, network_infra_id }: NatGateway): Owner => ({
  kind: "virtual_network",
  id: spec.virtual_network.id,
  tenant: metadata.tenant,
  name: network_infra_id,
});
