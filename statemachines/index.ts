import type { Sagas } from "../core/kernel/saga/settle.ts";
import { clusterCreate } from "./cluster-create.ts";
import { clusterDelete } from "./cluster-delete.ts";
import { clusterScale } from "./cluster-scale.ts";
import { clusterUpgrade } from "./cluster-upgrade.ts";
import { hostClean } from "./host-clean.ts";
import { hostDiscover } from "./host-discover.ts";
import { hostSwitchOff } from "./host-switch-off.ts";

/** Every saga, by the name of its state machine. */
export const sagas: Sagas = Object.fromEntries(
  [
    ...[clusterCreate, clusterDelete, clusterScale, clusterUpgrade],
    ...[hostDiscover, hostClean, hostSwitchOff],
  ].map((saga) => [saga.name, saga]),
);
