import { AppError } from "../../error.ts";
import { claimQuota } from "../../kernel/claim/quota.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import type { ReferenceInput } from "../../kernel/input/reference.ts";
import type { MetadataInput } from "../../kernel/object/metadata.ts";
import type { Kind } from "../../kernel/object/object.ts";
import type { Request } from "../../kernel/request/definition.ts";
import { notFoundHere, resolveLocal } from "../../kernel/request/resolve.ts";
import type { Write } from "../../kernel/store/store.ts";
import type { AttachedTo, ExternalIp } from "./model.ts";
import { refuseLeading } from "./still-leads.ts";

/**
 * The user of an external IP, in the external IP's record. The transaction that accepts the order of the user writes
 * it, so an address has one user, even if orders come at the same time. The user also refers to the external IP, so
 * that it cannot be deleted.
 */

/**
 * The external IP that an order names, in its own tenant and project; undefined, with a violation, if there is none.
 * Throws FailedPrecondition, as OSAC does, for one that is attached already.
 */
export async function freeExternalIp<K extends Kind>(
  {
    deps,
    tenant,
    input,
    violations,
  }: Pick<Request<K, { metadata: MetadataInput }>, "deps" | "tenant" | "input" | "violations">,
  named: ReferenceInput,
  field = "spec.external_ip",
): Promise<ExternalIp | undefined> {
  const place = { tenant, project: input.metadata.project };
  const ip = await resolveLocal(deps, "external_ip", place, named);
  if (!ip) {
    violations.push({ field, message: notFoundHere("ExternalIP", named) });
    return undefined;
  }
  if (violations.length > 0) return ip;
  refuseTaken(ip);
  await refuseLeading(deps, ip);
  return ip;
}

/**
 * Why an address cannot lead to a target at this site or, without a site, behind DPUs; undefined if it can. `name`:
 * the target, for messages.
 */
export function unfit(
  { address, site }: ExternalIp,
  at: { site: { id: string } | undefined; name: string },
): string | undefined {
  const lack = `${address} does not lead to where ${at.name} is: order one of a pool`;
  if (site !== at.site?.id) return at.site ? `${lack} there` : `${lack} without a site`;
  return address.includes(":") ? `${address} is of IPv6, and IPv4 alone is translated` : undefined;
}

/** Throws FailedPrecondition if an external IP is attached to anything but `to`. */
function refuseTaken(ip: ExternalIp, to?: AttachedTo): void {
  const { attached_to: user, metadata } = ip;
  if (!user || (to && isAttachedTo(ip, to))) return;
  const message = `external IP '${metadata.name}' is attached already`;
  throw new AppError(
    "FailedPrecondition",
    `${message}: ${user.kind.replaceAll("_", " ")} '${user.id}' has it`,
  );
}

export const isAttachedTo = ({ attached_to: user }: ExternalIp, to: AttachedTo): boolean =>
  user?.kind === to.kind && user.id === to.id;

type Writing = Pick<Deps, "kinds" | "clock">;

/** The writes that record the user of an external IP, or that there is none, with other changes of its record. */
function attaching(
  deps: Writing,
  ip: ExternalIp,
  to: AttachedTo | undefined,
  more: Partial<Pick<ExternalIp, "given_up_by" | "charge">> = {},
): Write[] {
  const { attached_to: _, given_up_by: __, ...free } = ip;
  const after = { ...free, ...(to && { attached_to: to }), ...more };
  return written<ExternalIp>(deps, ip, after).writes;
}

/**
 * The writes that attach a free external IP to the object that is ordered with it. An external IP
 * of a deleted server counts in no quota while a DPU may still use it; from its next use on, it
 * counts.
 */
export async function attachingFree(deps: Deps, ip: ExternalIp, to: AttachedTo): Promise<Write[]> {
  const charge = { external_ips: 1 };
  const quota = await claimQuota(deps, ip, { ...ip, charge }, () => "spec.external_ip");
  return [...attaching(deps, ip, to, { charge }), ...quota];
}

/**
 * The writes that attach an external IP to this user; none if it is attached already. Throws FailedPrecondition if it
 * has another user, or may still lead elsewhere.
 */
export async function attachingOnce(deps: Deps, ip: ExternalIp, to: AttachedTo): Promise<Write[]> {
  refuseTaken(ip, to);
  if (!ip.attached_to) await refuseLeading(deps, ip);
  return ip.attached_to ? [] : attaching(deps, ip, to);
}

/** The state of an external IP after its attachment has ended. */
interface Detached {
  /** The DPUs that may still use it. */
  givenUpBy?: ExternalIp["given_up_by"] | undefined;
  /** Whether it was created with its attachment, and so stays reserved for it. */
  stays?: boolean;
}

/**
 * The writes that detach an external IP from this user, or that record the DPUs that may still use it; none if it has
 * another user by now.
 */
export function detaching(
  deps: Writing,
  ip: ExternalIp | undefined,
  from: AttachedTo,
  { givenUpBy, stays = false }: Detached = {},
): Write[] {
  if (!ip || !isAttachedTo(ip, from) || (stays && !givenUpBy)) return [];
  return attaching(deps, ip, stays ? from : undefined, givenUpBy && { given_up_by: givenUpBy });
}
