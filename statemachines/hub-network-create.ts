import { hours, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { makeNetwork, removeNetwork } from "./steps/network/network.ts";
import { ensurePart, removePart } from "./steps/site/site.ts";
import { systems } from "./steps/systems.ts";

/** Makes an ordered network real on its hub: the namespace in which everything of it is. */
export const hubNetworkCreate = saga<"virtual_network">("hub-network-create", {
  comment: "An ordered network becomes READY on its hub, or everything that it claimed is released",
  nodes: [
    step(
      "CreateNamespace",
      ensurePart("namespace", systems.hub, makeNetwork("namespace", "the namespace"), {
        deadline: hours(2),
        usually: seconds(2),
      }),
      removePart("namespace", systems.hub, removeNetwork("namespace")),
    ),
  ],
});
