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
 * What is attached to an external IP says its record, which is written in the transaction that accepts the order of
 * that thing: so one address has one user, however orders meet. What attaches refers to the address too, so that it
 * stays.
 */

/**
 * The external IP of the same tenant and project that an order names; undefined, with a violation, where there is
 * none. Throws FailedPrecondition, as OSAC does, for one to which something is attached.
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
 * Why an address cannot lead to what is at this site, or, without a site, behind DPUs; undefined where it can. `name`: how
 * people call that.
 */
export function unfit(
  { address, site }: ExternalIp,
  at: { site: { id: string } | undefined; name: string },
): string | undefined {
  const lack = `${address} does not lead to where ${at.name} is: order one of a pool`;
  if (site !== at.site?.id) return at.site ? `${lack} there` : `${lack} without a site`;
  return address.includes(":") ? `${address} is of IPv6, and IPv4 alone is translated` : undefined;
}

/** Throws FailedPrecondition when something else is attached to an external IP than `to`. */
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

/** The writes that say what is attached to an external IP, as it was read, if anything is, and what else is so then. */
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
 * The writes by which a free external IP is attached to what is ordered with it. One that was left of a server counts in
 * no quota while it may lead there; it does from its next use on.
 */
export async function attachingFree(deps: Deps, ip: ExternalIp, to: AttachedTo): Promise<Write[]> {
  const charge = { external_ips: 1 };
  const quota = await claimQuota(deps, ip, { ...ip, charge }, () => "spec.external_ip");
  return [...attaching(deps, ip, to, { charge }), ...quota];
}

/**
 * The writes by which an external IP is attached to this, if it is not yet. Throws FailedPrecondition for one that
 * something else has, or that may still lead elsewhere.
 */
export async function attachingOnce(deps: Deps, ip: ExternalIp, to: AttachedTo): Promise<Write[]> {
  refuseTaken(ip, to);
  if (!ip.attached_to) await refuseLeading(deps, ip);
  return ip.attached_to ? [] : attaching(deps, ip, to);
}

/** What becomes of an external IP whose attachment leads nowhere any more. */
interface Detached {
  /** The DPUs that may lead there still. */
  givenUpBy?: ExternalIp["given_up_by"] | undefined;
  /** The external IP was made with its attachment, and stays reserved for it. */
  stays?: boolean;
}

/** The writes that free an external IP of this, or say which DPUs may have it still; none when something else has it by now. */
export function detaching(
  deps: Writing,
  ip: ExternalIp | undefined,
  from: AttachedTo,
  { givenUpBy, stays = false }: Detached = {},
): Write[] {
  if (!ip || !isAttachedTo(ip, from) || (stays && !givenUpBy)) return [];
  return attaching(deps, ip, stays ? from : undefined, givenUpBy && { given_up_by: givenUpBy });
}
