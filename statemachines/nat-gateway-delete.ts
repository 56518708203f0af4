import { saga } from "../core/kernel/saga/action.ts";
import { backwards, phase } from "../core/kernel/saga/saga.ts";
import { natGatewayCreate } from "./nat-gateway-create.ts";

/** A deletion is the undos of the create: the router has given up the address before others can have it. */
export const natGatewayDelete = saga<"nat_gateway">("nat-gateway-delete", {
  comment: "A NAT gateway is deleted, and its external IP is free again",
  irreversible: true,
  nodes: [phase("ClearWayOut", ...backwards(natGatewayCreate.nodes))],
});
