import type { EndpointIp } from "../../at-site/at-site.ts";
import type { SiteClaims } from "../../at-site/order.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { type Written, written } from "../../kernel/events/rewrite.ts";
import { load, mustLoad } from "../../kernel/object/records.ts";
import { optimisticallyFenced } from "../../kernel/store/optimistically.ts";
import type { Check } from "../../kernel/store/store.ts";
import { attachingOnce, detaching } from "../external-ip/attached.ts";
import type { AttachedTo } from "../external-ip/model.ts";
import { attachmentUseOf, type ExternalIpAttachment } from "./model.ts";
import {
  type AttachmentTarget,
  attachmentTargetOf,
  ipAt,
  namedTarget,
  refuseUnreadyTarget,
  withIpAt,
} from "./target.ts";

/** Endpoints of clusters, and servers. The record of each names the attachment that has it. */

type Writing = Pick<Deps, "kinds" | "clock">;

/** The refusal for an endpoint that has an attachment; undefined if it has none. */
export function endpointTaken(
  attachment: Pick<ExternalIpAttachment, "spec">,
  target: AttachmentTarget,
): AppError | undefined {
  const at = ipAt(attachment, target);
  if (!at) return undefined;
  const use = attachmentUseOf(attachment);
  return new AppError(
    "FailedPrecondition",
    `${namedTarget(target)} has the address ${at.address}${use ? ` for ${use}` : ""} already: external ip attachment '${at.attachment}' has it`,
  );
}

/** The target with this external IP at the endpoint; undefined: without one. */
export const puttingAt = (
  deps: Writing,
  attachment: Pick<ExternalIpAttachment, "spec">,
  target: AttachmentTarget,
  at: EndpointIp | undefined,
): Written<AttachmentTarget> =>
  written<AttachmentTarget>(deps, target, withIpAt(attachment, target, at));

const asUser = ({ kind, id }: ExternalIpAttachment): AttachedTo => ({ kind, id });

/** The external IP that the endpoint has by this attachment; undefined if it has another attachment or none. */
export function endpointOf(
  attachment: ExternalIpAttachment,
  target: AttachmentTarget | undefined,
): EndpointIp | undefined {
  const at = target && ipAt(attachment, target);
  return at?.attachment === attachment.id ? at : undefined;
}

/** The claims of an attachment: its endpoint, which has to exist, and its external IP. */
export const claims: SiteClaims<ExternalIpAttachment> = {
  async claim(deps, attachment) {
    const { id, infra_id: name, address, spec } = attachment;
    const [target, ip] = await Promise.all([
      attachmentTargetOf(deps, attachment),
      mustLoad(deps, "external_ip", spec.external_ip.id),
    ]);
    if (!target) {
      const [what, named] = spec.cluster
        ? ["cluster", spec.cluster.name]
        : ["server", spec.baremetal_instance?.name];
      throw new AppError("FailedPrecondition", `${what} '${named}' is gone`);
    }
    const writes = await attachingOnce(deps, ip, asUser(attachment));
    if (endpointOf(attachment, target)) return writes;
    const taken = endpointTaken(attachment, target);
    if (taken) throw taken;
    refuseUnreadyTarget(target);
    return [
      ...writes,
      ...puttingAt(deps, attachment, target, { attachment: id, name, address }).writes,
    ];
  },
  async release(deps, attachment) {
    const [target, ip] = await Promise.all([
      attachmentTargetOf(deps, attachment),
      load(deps, "external_ip", attachment.spec.external_ip.id),
    ]);
    const { carrier: dpu = "", given_up: givenUp, automatic = false, metadata } = attachment;
    // An external IP that its server's order created is deleted with the server. Until then it stays attached, so that
    // nobody else gets it.
    const stays = automatic && !metadata.deletion_timestamp;
    const givenUpBy = givenUp && [{ dpu, ...givenUp }];
    const writes = detaching(deps, ip, asUser(attachment), { givenUpBy, stays });
    if (!target || !endpointOf(attachment, target)) return writes;
    return [...writes, ...puttingAt(deps, attachment, target, undefined).writes];
  },
};

/**
 * Records whether an attachment's address leads to its endpoint, and returns the cluster or server of the endpoint;
 * undefined if the endpoint does not belong to the attachment.
 */
export const noteLeads = (
  deps: Deps,
  fence: Check[],
  attachment: ExternalIpAttachment,
  leads: boolean,
): Promise<AttachmentTarget | undefined> =>
  optimisticallyFenced<AttachmentTarget | undefined>(deps.store, fence, async () => {
    const target = await attachmentTargetOf(deps, attachment);
    const found = endpointOf(attachment, target);
    if (!target || !found) return { writes: [], result: undefined };
    const { leads: before = false, ...at } = found;
    if (before === leads) return { writes: [], result: target };
    const { object, writes } = puttingAt(deps, attachment, target, leads ? { ...at, leads } : at);
    return { writes, result: object };
  });
