import { madeStatusOf } from "../../at-site/made-outside.ts";
import { type LifecycleState, lifecycleOf } from "../../kernel/object/lifecycle.ts";
import type { SecurityGroup, SecurityGroupStatus } from "./model.ts";

/** Computes the status from the record. Pure; every write of a group computes it again. */
export function securityGroupStatus(group: SecurityGroup): SecurityGroupStatus {
  const { wanted, applied } = group;
  return {
    ...madeStatusOf("SECURITY_GROUP", group),
    state: `SECURITY_GROUP_STATE_${stateOf(group)}`,
    wanted_version: wanted,
    ...(applied !== undefined && { applied_version: applied }),
  };
}

/** A group is READY only while the desired rules are applied everywhere. */
function stateOf(group: SecurityGroup): LifecycleState {
  const state = lifecycleOf(group);
  if (state !== "READY" || group.applied === group.wanted) return state;
  return group.failure ? "FAILED" : "PENDING";
}
