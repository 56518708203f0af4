import { saga } from "../core/kernel/saga/action.ts";
import { backwards, phase } from "../core/kernel/saga/saga.ts";
import { securityGroupCreate } from "./security-group-create.ts";

/** A deletion is the undos of the create; nothing has the group any more when it begins. */
export const securityGroupDelete = saga<"security_group">("security-group-delete", {
  comment: "A security group is deleted, and everything that it held is released",
  irreversible: true,
  nodes: [phase("ClearGroup", ...backwards(securityGroupCreate.nodes))],
});
