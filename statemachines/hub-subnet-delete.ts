import { saga } from "../core/kernel/saga/action.ts";
import { backwards, phase } from "../core/kernel/saga/saga.ts";
import { hubSubnetCreate } from "./hub-subnet-create.ts";

/** A deletion is the undos of the create; nothing stands in the subnet any more when it begins. */
export const hubSubnetDelete = saga<"subnet">("hub-subnet-delete", {
  comment: "A subnet is taken off its hub, and everything that it held is released",
  irreversible: true,
  nodes: [phase("ClearSubnet", ...backwards(hubSubnetCreate.nodes))],
});
