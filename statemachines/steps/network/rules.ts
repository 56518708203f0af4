import { inNetwork } from "../../../core/at-site/owner.ts";
import { donePart, placeRecord } from "../../../core/at-site/parts.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import type { SecurityGroup } from "../../../core/resources/security-group/model.ts";
import { plannedRules } from "../../../core/resources/security-group/plan.ts";
import { directions } from "../../../core/resources/security-group/rules.ts";
import { lateEnd, renewEnds } from "../dpu/overlay.ts";
import { refuseEndsAway } from "../dpu/refuse-away.ts";
import { askAgain, note, noteBegun, noteRemoval } from "../site/site.ts";
import { networksOf } from "./networks.ts";

/** Applies a group's newest rules, and records the version that applies. */
export async function applyRules(
  group: SecurityGroup,
  context: StepContext<SecurityGroup>,
): Promise<void> {
  const networks = await networksOf(group, context);
  if (!networks) return applyToEnds(group, context);
  await noteBegun("rules", "its rules", group, context);
  const { wanted } = group;
  const rules = plannedRules(group, await namedGroups(group, context));
  const seen = await networks.ensureGroup(inNetwork(group), { version: wanted, rules });
  if (seen.state === "pending")
    return note("rules", { state: "pending", message: seen.message }, context);
  await noteApplied(seen.version, context);
  await note("rules", donePart, context);
}

/** In an overlay, rules apply once every DPU with a member has reported them. */
async function applyToEnds(
  group: SecurityGroup,
  context: StepContext<SecurityGroup>,
): Promise<void> {
  const { id, wanted, spec } = group;
  await renewEnds(spec.virtual_network.id, context);
  if (await lateEnd(spec.virtual_network.id, { id, version: wanted }, context))
    return refuseEndsAway(spec.virtual_network.id, context);
  await noteApplied(wanted, context);
}

/** An `until` that waits for every end to apply the newest rules. */
export async function applied(group: SecurityGroup, context: Context): Promise<Outcome> {
  const { id, wanted, spec } = group;
  if (group.applied === wanted) return done;
  const end = await lateEnd(spec.virtual_network.id, { id, version: wanted }, context);
  const what = end ?? placeRecord(group)?.parts.rules?.message;
  return pending(what || "every end to apply the rules", askAgain);
}

const noteApplied = async (
  version: number,
  { change }: StepContext<SecurityGroup>,
): Promise<void> => {
  await change((group) => (group.applied === version ? undefined : { ...group, applied: version }));
};

/** The groups that a group's rules name, by id. */
async function namedGroups(
  group: SecurityGroup,
  { deps }: StepContext<SecurityGroup>,
): Promise<ReadonlyMap<string, SecurityGroup>> {
  const ids = directions
    .flatMap((direction) => group.spec[direction])
    .flatMap(({ security_group: named }) => (named ? [named.id] : []));
  const others = new Set(ids.filter((id) => id !== group.id));
  const found = await Promise.all([...others].map((id) => mustLoad(deps, "security_group", id)));
  return new Map([group, ...found].map((each) => [each.id, each]));
}

export async function removeRules(
  group: SecurityGroup,
  context: StepContext<SecurityGroup>,
): Promise<void> {
  const networks = await networksOf(group, context);
  if (!networks) return;
  const removal = await networks.removeGroup(inNetwork(group));
  if (removal.state === "absent") await context.change(withoutApplied);
  await noteRemoval("rules", removal, context);
}

/** The group without an applied version. */
function withoutApplied({ applied, ...group }: SecurityGroup): SecurityGroup | undefined {
  return applied === undefined ? undefined : group;
}
