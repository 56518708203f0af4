import { hours, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { makeNetwork, removeNetwork } from "./steps/network/network.ts";
import { spreading, withdrawing } from "./steps/network/spread.ts";
import { ensurePart, removePart } from "./steps/site/site.ts";
import { systems } from "./steps/systems.ts";

/** Makes an ordered network real: what its subnets are connected by. */
export const virtualNetworkCreate = saga<"virtual_network">("virtual-network-create", {
  comment: "An ordered network becomes READY, or everything that it claimed is released",
  nodes: [
    step(
      "CreateRouter",
      spreading(
        ensurePart("router", systems.fabric, makeNetwork("router", "the router"), {
          deadline: hours(2),
          usually: seconds(5),
        }),
        ({ id }) => id,
      ),
      withdrawing(removePart("router", systems.fabric, removeNetwork("router")), ({ id }) => id),
    ),
  ],
});
