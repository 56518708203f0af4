import { saga } from "../core/kernel/saga/action.ts";
import { backwards, phase } from "../core/kernel/saga/saga.ts";
import { hubSecurityGroupCreate } from "./hub-security-group-create.ts";

/** A deletion is the undos of the create; nothing has the group any more when it begins. */
export const hubSecurityGroupDelete = saga<"security_group">("hub-security-group-delete", {
  comment: "A security group is taken off its hub, and everything that it held is released",
  irreversible: true,
  nodes: [phase("ClearGroup", ...backwards(hubSecurityGroupCreate.nodes))],
});
