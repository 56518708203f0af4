import { hours, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { applyRules, removeRules } from "./steps/network/rules.ts";
import { ensurePart, removePart } from "./steps/site/site.ts";
import { systems } from "./steps/systems.ts";

/** Makes an ordered security group real on its hub, with its first rules. */
export const hubSecurityGroupCreate = saga<"security_group">("hub-security-group-create", {
  comment:
    "An ordered security group becomes READY on its hub, or everything that it claimed is released",
  nodes: [
    step(
      "ApplyPolicies",
      ensurePart("rules", systems.hub, applyRules, { deadline: hours(2), usually: seconds(2) }),
      removePart("rules", systems.hub, removeRules),
    ),
  ],
});
