import { hours, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { applied, applyRules } from "./steps/network/rules.ts";
import { systems } from "./steps/systems.ts";

/** Brings changed rules of a security group to its hub. */
export const hubSecurityGroupApply = saga<"security_group">("hub-security-group-apply", {
  comment: "The hub has the changed rules of a security group",
  nodes: [
    step(
      "ApplyPolicies",
      {
        system: systems.hub,
        act: applyRules,
        look: applyRules,
        looksLater: true,
        until: applied,
        deadline: hours(2),
        usually: seconds(2),
      },
      { none: "the rules that apply stay until they are changed again" },
    ),
  ],
});
