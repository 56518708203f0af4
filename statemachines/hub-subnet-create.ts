import { hours, seconds } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { connectSubnet, disconnectSubnet } from "./steps/network/subnet.ts";
import { ensurePart, removePart } from "./steps/site/site.ts";
import { systems } from "./steps/systems.ts";

/** Makes an ordered subnet real on its hub: a segment with prefixes, to which the network's namespace belongs. */
export const hubSubnetCreate = saga<"subnet">("hub-subnet-create", {
  comment: "An ordered subnet becomes READY on its hub, or everything that it claimed is released",
  nodes: [
    step(
      "CreateSegment",
      ensurePart("subnet", systems.hub, connectSubnet("the hub's network"), {
        deadline: hours(2),
        usually: seconds(5),
      }),
      removePart("subnet", systems.hub, disconnectSubnet),
    ),
  ],
});
