import { hours, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { securityGroupSagas } from "../core/resources/security-group/sagas.ts";
import { type MadeAt, madeAt } from "./made-at.ts";
import { applied, applyRules, removeRules } from "./steps/network/rules.ts";
import { ensurePart, removePart } from "./steps/site/site.ts";
import { systems } from "./steps/systems.ts";

const places = {
  site: {
    names: securityGroupSagas,
    apply: "ApplyRules",
    system: systems.fabric,
    times: { deadline: hours(2), usually: seconds(5) },
    comment: "The changed rules of a security group apply everywhere",
  },
  hub: {
    names: securityGroupSagas.onHub,
    apply: "ApplyPolicies",
    system: systems.hub,
    times: { deadline: hours(2), usually: seconds(2) },
    comment: "The hub has the changed rules of a security group",
  },
};

/** The sagas that create a security group with its first rules, apply changed rules, and delete it. */
export function securityGroupAt(at: MadeAt) {
  const { names, apply, system, times, comment } = places[at];
  const [create, remove] = madeAt<"security_group">(at, {
    names,
    what: "security group",
    steps: [
      step(
        apply,
        ensurePart("rules", system, applyRules, times),
        removePart("rules", system, removeRules),
      ),
    ],
    cleared: "ClearGroup",
  });
  const change = saga<"security_group">(names.apply, {
    comment,
    nodes: [
      step(
        apply,
        { system, act: applyRules, look: applyRules, looksLater: true, until: applied, ...times },
        { none: "the rules that apply stay until they are changed again" },
      ),
    ],
  });
  return [create, change, remove];
}
