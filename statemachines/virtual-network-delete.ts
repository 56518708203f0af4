import { saga } from "../core/kernel/saga/action.ts";
import { backwards, phase } from "../core/kernel/saga/saga.ts";
import { virtualNetworkCreate } from "./virtual-network-create.ts";

/** A deletion is the undos of the create; nothing is in the network any more when it begins. */
export const virtualNetworkDelete = saga<"virtual_network">("virtual-network-delete", {
  comment: "A network is deleted, and everything that it held is released",
  irreversible: true,
  nodes: [phase("ClearNetwork", ...backwards(virtualNetworkCreate.nodes))],
});
