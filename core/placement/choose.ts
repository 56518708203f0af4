import type { RejectedHub } from "../kernel/object/traits.ts";
import type { Hub } from "./hub.ts";

import { heartbeatTimeout, isUnreached, lackingIn } from "./hub.ts";

/** Choosing a hub: pure rules over what was read of each. */

export interface Candidate {
  hub: Hub;
  /** Control planes it carries. */
  used: number;
  /** Milliseconds since the epoch; undefined when it never reported. */
  heartbeat: number | undefined;
  /** How many hosts of each type it has, whoever holds them. */
  hosts: Record<string, number>;
}

/** What a hub must be for an owner. */
export interface Constraints {
  tenant: string;
  region?: string;
  labels?: Record<string, string>;
  /** The hub of an owner that is placed already: it can use no other. */
  hub?: string;
}

/** Why a hub can never serve an owner with these constraints, however long that waits; undefined when it can. */
export function mismatch(
  { id, spec }: Pick<Hub, "id" | "spec">,
  where: Constraints,
): string | undefined {
  if (where.hub !== undefined) return id === where.hub ? undefined : "is not the cluster's hub";
  // A hub without a region may be given any.
  const { region = where.region } = spec;
  if (where.region !== undefined && region !== where.region) return `is in region ${region}`;
  for (const [key, value] of Object.entries(where.labels ?? {})) {
    if (spec.labels?.[key] !== value) return `has no label ${key}=${value}`;
  }
  if (spec.tenants && spec.tenants.length > 0 && !spec.tenants.includes(where.tenant))
    return "serves other tenants";
  return undefined;
}

/** What an owner needs of one hub in all: hosts by type. */
export type Needs = Record<string, number>;

/** Whether a hub, were all of its hosts free, could give an owner what it needs. */
export const couldServe = (
  { hub, hosts }: Pick<Candidate, "hub" | "hosts">,
  { where, needs }: { where: Constraints; needs: Needs },
): boolean =>
  mismatch(hub, where) === undefined &&
  Object.entries(needs).every(([type, count]) => (hosts[type] ?? 0) >= count);

/** Why a hub that matches the constraints can take nobody now. */
function hindrance({ hub, used, heartbeat }: Candidate, now: number): string | undefined {
  if (hub.metadata.deletion_timestamp !== undefined) return "is being removed";
  const lacking = lackingIn(hub.spec);
  if (lacking.length > 0) return `lacks ${lacking.join(", ")}`;
  if (hub.spec.cordoned) return "is cordoned";
  if (heartbeat === undefined) return "has not reported yet";
  if (now - heartbeat > heartbeatTimeout) return "has not reported for 10 minutes";
  if (isUnreached(hub)) return "cannot be reached";
  if (isFull({ hub, used })) return `carries ${used} of ${capacityOf(hub)} control planes`;
  return undefined;
}

export interface Choice {
  /** Best first: hubs kept for this tenant, then the least loaded. */
  fitting: Candidate[];
  rejected: RejectedHub[];
  /** Some hub would do if it had room for another control plane. */
  wantsSlot: boolean;
}

/** Sorts hubs by fitness for an owner with these constraints. `now` in milliseconds. */
export function chooseHub(candidates: Candidate[], where: Constraints, now: number): Choice {
  const fitting: Candidate[] = [];
  const rejected: RejectedHub[] = [];
  let wantsSlot = false;
  for (const candidate of candidates) {
    const never = mismatch(candidate.hub, where);
    const reason = never ?? hindrance(candidate, now);
    if (reason === undefined) fitting.push(candidate);
    else rejected.push({ hub: candidate.hub.id, reason });
    if (never === undefined && isFull(candidate)) wantsSlot = true;
  }
  fitting.sort(
    (a, b) =>
      affinity(b, where) - affinity(a, where) ||
      load(a) - load(b) ||
      (a.hub.id < b.hub.id ? -1 : 1),
  );
  return { fitting, rejected, wantsSlot };
}

const affinity = ({ hub }: Candidate, where: Constraints): number =>
  hub.spec.tenants?.includes(where.tenant) ? 1 : 0;

/** Share of its control planes in use; capacity is above `used` here, so never 0. */
const load = ({ hub, used }: Candidate): number => used / capacityOf(hub);

/** A hub that says nothing of it carries none. */
export const capacityOf = ({ spec }: Hub): number => spec.capacity ?? 0;

/** One that lacks something has no room either, but that is not what orders wait for. */
const isFull = ({ hub, used }: Pick<Candidate, "hub" | "used">): boolean =>
  lackingIn(hub.spec).length === 0 && used >= capacityOf(hub);
