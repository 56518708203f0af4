import type { RejectedHub } from "../../kernel/object/traits.ts";
import { type ReservedCount, reservedOf } from "../pool/reserved.ts";
import type { Hub } from "./hub.ts";
import { heartbeatTimeout, isUnreached, lackingIn } from "./hub.ts";

/** The rules for choosing a hub: pure functions over the records of each hub. */

export interface Candidate {
  hub: Hub;
  /** The number of control planes on the hub. */
  used: number;
  /** The last report, in milliseconds since the epoch; undefined when the hub never reported. */
  heartbeat: number | undefined;
  /** The number of hosts of each type that the hub has, held or free. */
  hosts: Record<string, number>;
  /** The free ones of them that allocations have reserved; absent where there are none. */
  reserved?: readonly ReservedCount[];
}

/** The number of hosts of a type that a hub has for a tenant, held or free: all except those reserved for others. */
export const hostsFor = (
  { hosts, reserved }: Pick<Candidate, "hosts" | "reserved">,
  hostType: string,
  tenant: string,
): number =>
  (hosts[hostType] ?? 0) - reservedOf(reserved, hostType) + reservedOf(reserved, hostType, tenant);

/** The conditions on a hub for an owner. */
export interface Constraints {
  tenant: string;
  region?: string;
  labels?: Record<string, string>;
  /** The site of the network and of the external IPs of its hosts. */
  site?: string;
  /** The hub of an owner that is placed already, or of the network that it belongs to: no other hub is possible. */
  hub?: string;
}

/** Why a hub can never serve an owner with these constraints; undefined when it can. */
export function mismatch(
  { id, spec }: Pick<Hub, "id" | "spec">,
  where: Constraints,
): string | undefined {
  if (where.hub !== undefined) return id === where.hub ? undefined : "is not the owner's hub";
  // A hub without a region fits any region.
  const { region = where.region } = spec;
  if (where.region !== undefined && region !== where.region) return `is in region ${region}`;
  if (where.site !== undefined && spec.site !== where.site) return `is not at site '${where.site}'`;
  for (const [key, value] of Object.entries(where.labels ?? {})) {
    if (spec.labels?.[key] !== value) return `has no label ${key}=${value}`;
  }
  if (spec.tenants && spec.tenants.length > 0 && !spec.tenants.includes(where.tenant))
    return "serves other tenants";
  return undefined;
}

/** Whether one hub could match both constraints. */
export function mayMeet(one: Constraints, other: Constraints): boolean {
  const differ = <T>(a: T | undefined, b: T | undefined) =>
    a !== undefined && b !== undefined && a !== b;
  if (differ(one.hub, other.hub)) return false;
  // A placed owner stays on its hub, whatever the other constraints are.
  if (one.hub !== undefined || other.hub !== undefined) return true;
  return (
    !differ(one.region, other.region) &&
    !differ(one.site, other.site) &&
    Object.entries(one.labels ?? {}).every(([key, value]) => !differ(value, other.labels?.[key]))
  );
}

/** The total number of hosts that an owner needs on one hub, by type. */
export type Needs = Record<string, number>;

/** Whether a hub could serve an owner if none of its hosts were held. */
export const couldServe = (
  { hub, ...its }: Pick<Candidate, "hub" | "hosts" | "reserved">,
  { where, needs }: { where: Constraints; needs: Needs },
): boolean =>
  mismatch(hub, where) === undefined &&
  Object.entries(needs).every(([type, count]) => hostsFor(its, type, where.tenant) >= count);

/** The reason why a hub that matches the constraints can serve nobody now; with `slot`, nobody who takes a slot. */
function hindrance(
  { hub, used, heartbeat }: Candidate,
  { now, slot }: { now: number; slot: boolean },
): string | undefined {
  if (hub.metadata.deletion_timestamp !== undefined) return "is being removed";
  const lacking = lackingIn(hub.spec, slot);
  if (lacking.length > 0) return `lacks ${lacking.join(", ")}`;
  if (hub.spec.cordoned) return "is cordoned";
  if (heartbeat === undefined) return "has not reported yet";
  if (now - heartbeat > heartbeatTimeout) return "has not reported for 10 minutes";
  if (isUnreached(hub)) return "cannot be reached";
  if (slot && isFull({ hub, used })) return `carries ${used} of ${capacityOf(hub)} control planes`;
  return undefined;
}

export interface Choice {
  /** Best first: hubs reserved for this tenant, then the least loaded. */
  fitting: Candidate[];
  rejected: RejectedHub[];
  /** Whether some hub would fit if it had another free slot. */
  wantsSlot: boolean;
}

/**
 * Sorts hubs by fitness for an owner with these constraints; `slot`: whether it takes a slot. `now` in milliseconds.
 */
export function chooseHub(
  candidates: Candidate[],
  where: Constraints,
  now: number,
  slot = true,
): Choice {
  const fitting: Candidate[] = [];
  const rejected: RejectedHub[] = [];
  let wantsSlot = false;
  for (const candidate of candidates) {
    const never = mismatch(candidate.hub, where);
    const reason = never ?? hindrance(candidate, { now, slot });
    if (reason === undefined) fitting.push(candidate);
    else rejected.push({ hub: candidate.hub.id, reason });
    if (slot && never === undefined && isFull(candidate)) wantsSlot = true;
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

/** The share of the hub's control planes in use; none for a hub without capacity. */
const load = ({ hub, used }: Candidate): number =>
  capacityOf(hub) === 0 ? 0 : used / capacityOf(hub);

/** The most control planes of a hub; none for a hub without a stated capacity. */
export const capacityOf = ({ spec }: Hub): number => spec.capacity ?? 0;

/**
 * Whether a hub is full. A hub that lacks a required setting has no room either, but orders do not wait for that
 * setting.
 */
const isFull = ({ hub, used }: Pick<Candidate, "hub" | "used">): boolean =>
  lackingIn(hub.spec).length === 0 && used >= capacityOf(hub);
