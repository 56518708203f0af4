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
  refuseUnready,
  withIpAt,
} from "./target.ts";

/** Endpoints of clusters, and servers, of which each says which attachment has it. */

type Writing = Pick<Deps, "kinds" | "clock">;

/** The refusal of an endpoint that an attachment has already. */
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

/** What was read of an endpoint, changed to say which external IP is there; undefined: none is. */
export const puttingAt = (
  deps: Writing,
  attachment: Pick<ExternalIpAttachment, "spec">,
  target: AttachmentTarget,
  at: EndpointIp | undefined,
): Written<AttachmentTarget> =>
  written<AttachmentTarget>(deps, target, withIpAt(attachment, target, at));

const asUser = ({ kind, id }: ExternalIpAttachment): AttachedTo => ({ kind, id });

/** What an endpoint says of an attachment; undefined where another one has the endpoint, or none. */
export function endpointOf(
  attachment: ExternalIpAttachment,
  target: AttachmentTarget | undefined,
): EndpointIp | undefined {
  const at = target && ipAt(attachment, target);
  return at?.attachment === attachment.id ? at : undefined;
}

/** Its endpoint, which has to be there, and its external IP. */
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
    refuseUnready(target);
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
    // What has come with a server goes with it, and may lead there yet: nobody else is to have it meanwhile.
    const stays = automatic && !metadata.deletion_timestamp;
    const givenUpBy = givenUp && [{ dpu, ...givenUp }];
    const writes = detaching(deps, ip, asUser(attachment), { givenUpBy, stays });
    if (!target || !endpointOf(attachment, target)) return writes;
    return [...writes, ...puttingAt(deps, attachment, target, undefined).writes];
  },
};

/**
 * Writes whether an attachment's address leads to its endpoint, and answers what has that then; undefined where the
 * endpoint is not the attachment's.
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
