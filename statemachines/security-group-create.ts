import { hours, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { applyRules, removeRules } from "./steps/network/rules.ts";
import { ensurePart, removePart } from "./steps/site/site.ts";
import { systems } from "./steps/systems.ts";

/** Makes an ordered security group real, with its first rules. */
export const securityGroupCreate = saga<"security_group">("security-group-create", {
  comment: "An ordered security group becomes READY, or everything that it claimed is released",
  nodes: [
    step(
      "ApplyRules",
      ensurePart("rules", systems.fabric, applyRules, { deadline: hours(2), usually: seconds(5) }),
      removePart("rules", systems.fabric, removeRules),
    ),
  ],
});
