import { hours, minutes } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { refresh } from "./steps/cluster/deploy-control-plane.ts";
import {
  controlPlaneArrived,
  mayBegin,
  upgradeControlPlane,
  withdrawnOrArrived,
  withdrawUpgrade,
} from "./steps/cluster/upgrade-control-plane.ts";
import {
  finishNodeSets,
  lookAtNodeSets,
  nodeSetsArrived,
  requestedNodeSetsArrived,
  upgradeNodeSets,
} from "./steps/cluster/upgrade-node-sets.ts";
import { validating } from "./steps/cluster/validate.ts";
import { systems } from "./steps/systems.ts";

/**
 * Upgrades the control plane first, then one node set after the other. OpenShift cannot be downgraded, so the undos
 * finish the parts whose upgrade has begun and leave the others as they are. An upgrade that turns back stops
 * there; `POST /clusters/{id}/retry` continues it.
 */
export const clusterUpgrade = saga<"cluster">("cluster-upgrade", {
  comment:
    "The control plane goes to another version, then each node set; or the upgrade stops in between",
  nodes: [
    step(
      "CheckUpgrade",
      {
        system: systems.hub,
        act: refresh,
        look: refresh,
        until: mayBegin,
        effects: "none",
        deadline: minutes(15),
      },
      { none: "it only checks" },
    ),
    step(
      "UpgradeControlPlane",
      {
        system: systems.hub,
        act: upgradeControlPlane,
        look: refresh,
        until: controlPlaneArrived,
        deadline: hours(2),
        usually: minutes(20),
      },
      {
        system: systems.hub,
        act: withdrawUpgrade,
        look: withdrawUpgrade,
        until: withdrawnOrArrived,
        deadline: hours(24),
      },
    ),
    step(
      "UpgradeNodeSets",
      {
        system: systems.hub,
        act: upgradeNodeSets,
        look: lookAtNodeSets,
        until: nodeSetsArrived,
        // The deadline is long, because nodes are upgraded one by one and draining a node can take long.
        deadline: hours(24),
        usually: minutes(30),
      },
      {
        system: systems.hub,
        act: finishNodeSets,
        look: finishNodeSets,
        until: requestedNodeSetsArrived,
        deadline: hours(24),
      },
    ),
    step("ValidateCluster", validating(hours(1)), { none: "it only checks" }),
  ],
});
