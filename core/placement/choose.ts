import type { RejectedHub } from "../resources/cluster/model.ts";
import { type Hub, heartbeatTimeout, isUnreached, lackingIn } from "../resources/hub/model.ts";

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

/** What an order asks of a hub. */
export interface Wish {
  tenant: string;
  region?: string;
  labels?: Record<string, string>;
  /** The hub of a cluster that is placed already: it can use no other. */
  hub?: string;
}

/** Whether a hub may ever serve this wish: what does not change by waiting. */
export function mismatch({ id, spec }: Pick<Hub, "id" | "spec">, wish: Wish): string | undefined {
  if (wish.hub !== undefined) return id === wish.hub ? undefined : "is not the cluster's hub";
  // One that has none yet may be given any.
  const { region = wish.region } = spec;
  if (wish.region !== undefined && region !== wish.region) return `is in region ${region}`;
  for (const [key, value] of Object.entries(wish.labels ?? {})) {
    if (spec.labels?.[key] !== value) return `has no label ${key}=${value}`;
  }
  if (spec.tenants && spec.tenants.length > 0 && !spec.tenants.includes(wish.tenant))
    return "serves other tenants";
  return undefined;
}

/** What an order needs of one hub in all: hosts by type. */
export type Needs = Record<string, number>;

/** Whether waiting can ever get an order what it needs on a hub, were all of its hosts free. */
export const couldServe = (
  { hub, hosts }: Pick<Candidate, "hub" | "hosts">,
  { wish, needs }: { wish: Wish; needs: Needs },
): boolean =>
  mismatch(hub, wish) === undefined &&
  Object.entries(needs).every(([type, count]) => (hosts[type] ?? 0) >= count);

/** Why a hub that could serve it cannot now. */
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

/** Sorts hubs by fitness for a wish. `now` in milliseconds. */
export function chooseHub(candidates: Candidate[], wish: Wish, now: number): Choice {
  const fitting: Candidate[] = [];
  const rejected: RejectedHub[] = [];
  let wantsSlot = false;
  for (const candidate of candidates) {
    const never = mismatch(candidate.hub, wish);
    const reason = never ?? hindrance(candidate, now);
    if (reason === undefined) fitting.push(candidate);
    else rejected.push({ hub: candidate.hub.id, reason });
    if (never === undefined && isFull(candidate)) wantsSlot = true;
  }
  fitting.sort(
    (a, b) =>
      affinity(b, wish) - affinity(a, wish) || load(a) - load(b) || (a.hub.id < b.hub.id ? -1 : 1),
  );
  return { fitting, rejected, wantsSlot };
}

const affinity = ({ hub }: Candidate, wish: Wish): number =>
  hub.spec.tenants?.includes(wish.tenant) ? 1 : 0;

/** Share of its control planes in use; capacity is above `used` here, so never 0. */
const load = ({ hub, used }: Candidate): number => used / capacityOf(hub);

/** A hub that says nothing of it carries none. */
export const capacityOf = ({ spec }: Hub): number => spec.capacity ?? 0;

/** One that lacks something has no room either, but that is not what orders wait for. */
const isFull = ({ hub, used }: Pick<Candidate, "hub" | "used">): boolean =>
  lackingIn(hub.spec).length === 0 && used >= capacityOf(hub);
