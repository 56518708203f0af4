import { hours, seconds } from "../core/clock.ts";
import { step } from "../core/kernel/saga/saga.ts";
import type { Subnet } from "../core/resources/subnet/model.ts";
import { subnetSagas } from "../core/resources/subnet/sagas.ts";
import { type MadeAt, madeAt } from "./made-at.ts";
import { spreading, withdrawing } from "./steps/network/spread.ts";
import { connectSubnet, disconnectSubnet } from "./steps/network/subnet.ts";
import { createLayer2Network, removeLayer2Network } from "./steps/site/layer2.ts";
import { ensurePart, removePart } from "./steps/site/site.ts";
import { systems } from "./steps/systems.ts";

const networkOf = ({ spec }: Subnet): string => spec.virtual_network.id;

/** Creates a segment of the fabric. */
const createLayer2 = step(
  "CreateLayer2Network",
  // Waits long, because VLAN ids can run out.
  ensurePart("layer2", systems.fabric, createLayer2Network, { deadline: hours(24) }),
  removePart("layer2", systems.fabric, removeLayer2Network),
);

/** Connects the subnet to its network: its prefixes and its gateway. */
const connect = step(
  "ConnectSubnet",
  spreading(
    ensurePart("subnet", systems.fabric, connectSubnet("the gateway"), {
      deadline: hours(2),
      usually: seconds(10),
    }),
    networkOf,
  ),
  withdrawing(removePart("subnet", systems.fabric, disconnectSubnet), networkOf),
);

/** Creates a segment with prefixes in the network's namespace. */
const createSegment = step(
  "CreateSegment",
  ensurePart("subnet", systems.hub, connectSubnet("the hub's network"), {
    deadline: hours(2),
    usually: seconds(5),
  }),
  removePart("subnet", systems.hub, disconnectSubnet),
);

const places = {
  site: { names: subnetSagas, steps: [createLayer2, connect] },
  hub: { names: subnetSagas.onHub, steps: [createSegment] },
};

/** The sagas that create an ordered subnet, and delete it. */
export const subnetAt = (at: MadeAt) =>
  madeAt<"subnet">(at, { ...places[at], what: "subnet", cleared: "ClearSubnet" });
