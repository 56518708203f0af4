import * as z from "zod";
import { lifecycleStates } from "../../kernel/object/lifecycle.ts";
import { metadataSchema, metadataView, referenceSchema } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { workSchema } from "../../kernel/saga/wait.ts";
import { type ExternalIpAttachment, endpointNames } from "./model.ts";

const states = lifecycleStates.map((state) => `EXTERNAL_IP_ATTACHMENT_STATE_${state}` as const);

export const externalIpAttachmentSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    external_ip: referenceSchema.describe("The address that is attached."),
    cluster: referenceSchema.optional().describe("The cluster that it is attached to."),
    baremetal_instance: referenceSchema.optional().describe("Or the server."),
    target_endpoint: z.enum(endpointNames).optional().describe("The endpoint of the cluster."),
  }),
  status: z.object({
    state: z.enum(states).describe("Whether the address reaches the endpoint."),
    message: z.string().optional().describe("What it waits for, or why it failed."),
    external_ip_address: z.string().describe("The address."),
    ...workSchema,
  }),
});

const attachmentView = (
  attachment: ExternalIpAttachment,
): z.output<typeof externalIpAttachmentSchema> => ({
  id: attachment.id,
  metadata: metadataView(attachment),
  spec: attachment.spec,
  status: {
    ...attachment.status,
    ...(attachment.operation !== undefined && { operation: attachment.operation }),
  },
});

/** The attachment for OSAC, whose status names no operation and knows no failed deletion. */
function osacAttachment({ status, ...rest }: z.output<typeof externalIpAttachmentSchema>) {
  const { operation: _, state, ...others } = status;
  const isFailed = state === "EXTERNAL_IP_ATTACHMENT_STATE_DELETE_FAILED";
  return {
    ...rest,
    status: { ...others, state: isFailed ? "EXTERNAL_IP_ATTACHMENT_STATE_FAILED" : state },
  };
}

export const wire: WireForm<"external_ip_attachment"> = {
  view: attachmentView,
  osac: osacOf(osacAttachment),
};
