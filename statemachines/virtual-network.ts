import { hours, seconds } from "../core/clock.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { virtualNetworkSagas } from "../core/resources/virtual-network/sagas.ts";
import { type MadeAt, madeAt } from "./made-at.ts";
import { makeNetwork, removeNetwork } from "./steps/network/network.ts";
import { spreading, withdrawing } from "./steps/network/spread.ts";
import { ensurePart, removePart } from "./steps/site/site.ts";
import { systems } from "./steps/systems.ts";

/** Creates what connects the network's subnets: a router on the fabric, or in an overlay the DPUs' routers. */
const createRouter = step(
  "CreateRouter",
  spreading(
    ensurePart("router", systems.fabric, makeNetwork("router", "the router"), {
      deadline: hours(2),
      usually: seconds(5),
    }),
    ({ id }) => id,
  ),
  withdrawing(removePart("router", systems.fabric, removeNetwork("router")), ({ id }) => id),
);

/** Creates the namespace that contains everything of the network. */
const createNamespace = step(
  "CreateNamespace",
  ensurePart("namespace", systems.hub, makeNetwork("namespace", "the namespace"), {
    deadline: hours(2),
    usually: seconds(2),
  }),
  removePart("namespace", systems.hub, removeNetwork("namespace")),
);

const places = {
  site: { names: virtualNetworkSagas, steps: [createRouter] },
  hub: { names: virtualNetworkSagas.onHub, steps: [createNamespace] },
};

/** The sagas that create an ordered network, and delete it. */
export const virtualNetworkAt = (at: MadeAt) =>
  madeAt<"virtual_network">(at, { ...places[at], what: "network", cleared: "ClearNetwork" });
