import { hours, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { applied, applyRules } from "./steps/network/rules.ts";
import { systems } from "./steps/systems.ts";

/** Brings changed rules of a security group to every end. */
export const securityGroupApply = saga<"security_group">("security-group-apply", {
  comment: "The changed rules of a security group apply everywhere",
  nodes: [
    step(
      "ApplyRules",
      {
        system: systems.fabric,
        act: applyRules,
        look: applyRules,
        looksLater: true,
        until: applied,
        deadline: hours(2),
        usually: seconds(5),
      },
      { none: "the rules that apply stay until they are changed again" },
    ),
  ],
});
