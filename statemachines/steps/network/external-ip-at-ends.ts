import { AppError } from "../../../core/error.ts";
import { load, mustLoad } from "../../../core/kernel/object/records.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { primaryAddress } from "../../../core/resources/baremetal-instance/members.ts";
import { endsOf } from "../../../core/resources/dpu/ends.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import { hasApplied } from "../../../core/resources/dpu/network.ts";
import type { ExternalIpAttachment } from "../../../core/resources/external-ip-attachment/model.ts";
import {
  attachmentTargetOf,
  namedTarget,
  serverIn,
} from "../../../core/resources/external-ip-attachment/target.ts";
import { leadNowhere, leadTo, overlayInWords } from "../dpu/overlay.ts";
import { refuseAway } from "../dpu/refuse-away.ts";
import { isOverdue, setAside } from "./give-up-dpu.ts";

/** An external IP of a server in an overlay: the DPU in front of its primary address translates. */

type Step = StepContext<ExternalIpAttachment>;

/** Makes that DPU translate. Recorded first, so that the undo knows the DPU. */
export async function leadAtEnd(attachment: ExternalIpAttachment, context: Step): Promise<void> {
  const { deps } = context;
  const target = await attachmentTargetOf(deps, attachment);
  const at = primaryAddress(serverIn(target));
  if (!target || !at) throw new AppError("Rejected", "its target has no address");
  const to = { subnet: at.stand.subnet, address: at.address };
  const subnet = await mustLoad(deps, "subnet", to.subnet);
  const end = (await endsOf(deps, subnet.spec.virtual_network.id)).find(({ stands = [] }) =>
    stands.some((each) => each.subnet === to.subnet && each.address === to.address),
  );
  if (!end)
    throw new AppError(
      "Rejected",
      `expected a DPU to have ${namedTarget(target)} with ${to.address} in subnet '${subnet.metadata.name}'; none has`,
    );
  if (attachment.carrier !== end.id)
    await context.change((current) => ({ ...current, carrier: end.id }));
  await leadTo(end.id, to, { attachment: attachment.id, address: attachment.address }, context);
  await refuseAway([await mustLoad(deps, "dpu", end.id)], context);
}

/** Ends the translation by that DPU, or gives up a DPU that does not report it in time. */
export async function turnBackAtEnd(
  attachment: ExternalIpAttachment,
  context: Step,
): Promise<void> {
  const { id, carrier, address } = attachment;
  const { deps } = context;
  const before = carrier === undefined ? undefined : await load(deps, "dpu", carrier);
  if (!before) return;
  await leadNowhere(before.id, id, context);
  // A removal by force does not wait for the DPU.
  if (!serverIn(await attachmentTargetOf(deps, attachment))?.forced)
    await refuseAway([await mustLoad(deps, "dpu", before.id)], context);
  const late = await lateToTurnBack(attachment, context);
  if (late === undefined || !isOverdue(context)) return;
  const dpu = await mustLoad(deps, "dpu", before.id);
  await setAside(dpu, `external IP ${address} was to lead there no more`, context);
  const { version = 0 } = dpu.wanted ?? {};
  await context.change((current) => ({ ...current, given_up: { version } }));
}

/** The DPU while it has not reported the translation, in words. */
export async function lateToLead(
  { id, carrier }: ExternalIpAttachment,
  { deps }: Context,
): Promise<string | undefined> {
  const dpu = carrier === undefined ? undefined : await load(deps, "dpu", carrier);
  if (!dpu) return "a DPU that leads there";
  return leads(dpu, id) && hasApplied(dpu) ? undefined : overlayInWords(dpu);
}

/** The DPU while it translates, or may, and is not given up, in words. */
export async function lateToTurnBack(
  { id, carrier, given_up }: ExternalIpAttachment,
  { deps }: Context,
): Promise<string | undefined> {
  if (given_up) return undefined;
  const dpu = carrier === undefined ? undefined : await load(deps, "dpu", carrier);
  return !dpu || (!leads(dpu, id) && hasApplied(dpu)) ? undefined : overlayInWords(dpu);
}

const leads = ({ stands = [] }: Dpu, attachment: string): boolean =>
  stands.some(({ external }) => external?.attachment === attachment);
