import { saga } from "../core/kernel/saga/action.ts";
import { backwards, phase } from "../core/kernel/saga/saga.ts";
import { hubNetworkCreate } from "./hub-network-create.ts";

/** A deletion is the undos of the create; nothing is in the network any more when it begins. */
export const hubNetworkDelete = saga<"virtual_network">("hub-network-delete", {
  comment: "A network is taken off its hub, and everything that it held is released",
  irreversible: true,
  nodes: [phase("ClearNetwork", ...backwards(hubNetworkCreate.nodes))],
});
