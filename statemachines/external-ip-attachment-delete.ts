import { saga } from "../core/kernel/saga/action.ts";
import { backwards, phase } from "../core/kernel/saga/saga.ts";
import { externalIpAttachmentCreate } from "./external-ip-attachment-create.ts";

/** A deletion is the undos of the create: the names first, so that they lead to the address that comes back. */
export const externalIpAttachmentDelete = saga<"external_ip_attachment">(
  "external-ip-attachment-delete",
  {
    comment: "An attachment is deleted, and the endpoint has its own address again",
    irreversible: true,
    nodes: [phase("Detach", ...backwards(externalIpAttachmentCreate.nodes))],
  },
);
