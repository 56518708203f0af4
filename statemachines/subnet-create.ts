import { hours, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import type { Subnet } from "../core/resources/subnet/model.ts";
import { spreading, withdrawing } from "./steps/network/spread.ts";
import { connectSubnet, disconnectSubnet } from "./steps/network/subnet.ts";
import { createLayer2Network, removeLayer2Network } from "./steps/site/layer2.ts";
import { ensurePart, removePart } from "./steps/site/site.ts";
import { systems } from "./steps/systems.ts";

const networkOf = ({ spec }: Subnet): string => spec.virtual_network.id;

/** Makes an ordered subnet real: a segment of the fabric, with prefixes and a gateway to its network. */
export const subnetCreate = saga<"subnet">("subnet-create", {
  comment: "An ordered subnet becomes READY, or everything that it claimed is released",
  nodes: [
    step(
      "CreateLayer2Network",
      // VLAN ids can run out.
      ensurePart("layer2", systems.fabric, createLayer2Network, { deadline: hours(24) }),
      removePart("layer2", systems.fabric, removeLayer2Network),
    ),
    step(
      "ConnectSubnet",
      spreading(
        ensurePart("subnet", systems.fabric, connectSubnet("the gateway"), {
          deadline: hours(2),
          usually: seconds(10),
        }),
        networkOf,
      ),
      withdrawing(removePart("subnet", systems.fabric, disconnectSubnet), networkOf),
    ),
  ],
});
