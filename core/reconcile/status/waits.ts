import type { Target } from "../../kernel/saga/operated.ts";
import type { Operation } from "../../kernel/saga/operation.ts";
import { waitsOf } from "../../kernel/saga/shown.ts";
import { type Wait, waitInWords } from "../../kernel/saga/wait.ts";
import { type ReservedCount, reservedOf } from "../../placement/pool/reserved.ts";
import type { Standing } from "../capacity.ts";
import type { OpenOperation, WaitGroup } from "./schema.ts";

/** Groups operations by the reasons of their waits. Pure. */

/** The hub or the site of an operation's target that has a system of this name. */
export type PlaceOf = (target: Target, system: string) => { kind: string; id: string } | undefined;

export interface Waiting {
  operation: Operation;
  target: Target | undefined;
  waits: Wait[];
}

/** The waits of an operation. A stalled step counts as a wait, even without a named reason. */
export function openWaits(operation: Operation): Wait[] {
  const waits = waitsOf(operation);
  const { stalled } = operation.status;
  if (!stalled || waits.some(({ step }) => step === stalled.step)) return waits;
  const system = operation.steps[stalled.step]?.system;
  return [...waits, { ...stalled, ...(system === undefined ? {} : { system }) }];
}

/** The facts that explain waits, beside the operations themselves. */
export interface Causes {
  standing: Standing[];
  placeOf: PlaceOf;
  /** Free hosts that are reserved for tenants. */
  kept: readonly ReservedCount[];
  /** The present time (ms), for texts about tries. */
  now: number;
}

/** Groups operations by the reasons of their waits, the largest group first. */
export function groupsOf(
  waiting: Waiting[],
  { standing, placeOf, kept, now }: Causes,
): WaitGroup[] {
  const groups = new Map<string, { cause: Cause; members: Map<string, Member> }>();
  for (const { operation, target, waits } of waiting) {
    for (const wait of waits) {
      const cause = causeOf(operation, target, wait, standing, placeOf);
      const key = JSON.stringify(Object.entries(cause).sort());
      const group = groups.get(key) ?? { cause, members: new Map<string, Member>() };
      groups.set(key, group);
      if (!group.members.has(operation.id)) group.members.set(operation.id, { operation, wait });
    }
  }
  return [...groups.values()]
    .map(({ cause, members }) => groupOf(cause, [...members.values()], kept, now))
    .sort((a, b) => b.operations - a.operations || ((a.since ?? "") < (b.since ?? "") ? -1 : 1));
}

type Cause = Pick<WaitGroup, "system" | "hub" | "site" | "waits_for" | "host_type">;
interface Member {
  operation: Operation;
  wait: Wait;
}

/** The queue in which an operation waits, by its ticket. Of several queues, the last one is the scarcest for it. */
export const queueOf = (
  { id }: Operation,
  { instance }: Pick<Wait, "instance">,
  standing: readonly Standing[],
): Standing | undefined =>
  instance === undefined ? standing.findLast(({ operations }) => operations.has(id)) : undefined;

function causeOf(
  operation: Operation,
  target: Target | undefined,
  wait: Wait,
  standing: Standing[],
  placeOf: PlaceOf,
): Cause {
  const { system = "unknown", instance } = wait;
  const queue = queueOf(operation, wait, standing);
  if (queue) {
    const { operations: _, ...scarce } = queue;
    return { system, ...scarce };
  }
  if (instance !== undefined) return { system, ...at(system, instance) };
  const place = target && placeOf(target, system);
  if (!place) return { system };
  return { system, ...at(place.kind, place.id) };
}

/** The place of something, as the member of a cause. */
const at = (kind: string, id: string): Pick<Cause, "hub" | "site"> =>
  ({ site: { site: id } })[kind] ?? { hub: id };

function groupOf(
  cause: Cause,
  members: Member[],
  kept: readonly ReservedCount[],
  now: number,
): WaitGroup {
  const [first, ...others] = members;
  if (!first) throw new RangeError("a group has a member");
  const sinceOf = ({ wait: { since = "~" } }: Member) => since;
  const longest = others.reduce((one, each) => (sinceOf(each) < sinceOf(one) ? each : one), first);
  const { since } = longest.wait;
  return {
    ...cause,
    operations: members.length,
    stalled: members.filter(({ operation }) => operation.status.stalled).length,
    ...besideKept(cause, members, kept),
    ...(since === undefined ? {} : { since }),
    example: opened(longest.operation, {
      ...longest.wait,
      message: waitInWords(longest.wait, now),
    }),
  };
}

/**
 * The number of reserved hosts of the type that the members wait for, and the number of members that cannot use all of
 * these.
 */
function besideKept(
  { waits_for, host_type = "" }: Cause,
  members: Member[],
  kept: readonly ReservedCount[],
): Pick<WaitGroup, "kept" | "kept_for_others"> {
  const all = waits_for === "hosts" ? reservedOf(kept, host_type) : 0;
  if (all === 0) return {};
  const isForOthers = ({ operation: { metadata } }: Member) =>
    reservedOf(kept, host_type, metadata.tenant) < all;
  return { kept: all, kept_for_others: members.filter(isForOthers).length };
}

/** An operation as a list entry for people. */
export function opened(
  { id, metadata, spec }: Operation,
  { step, message, since }: Pick<Wait, "step" | "message" | "since">,
): OpenOperation {
  const { tenant, project } = metadata;
  return {
    operation: id,
    change: spec.change,
    ...spec.target,
    tenant,
    ...(project === undefined ? {} : { project }),
    step,
    message,
    ...(since === undefined ? {} : { since }),
  };
}
