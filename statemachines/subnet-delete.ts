import { saga } from "../core/kernel/saga/action.ts";
import { backwards, phase } from "../core/kernel/saga/saga.ts";
import { subnetCreate } from "./subnet-create.ts";

/** A deletion is the undos of the create; nothing stands in the subnet any more when it begins. */
export const subnetDelete = saga<"subnet">("subnet-delete", {
  comment: "A subnet is deleted, and everything that it held is released",
  irreversible: true,
  nodes: [phase("ClearSubnet", ...backwards(subnetCreate.nodes))],
});
