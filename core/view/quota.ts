import * as z from "zod";
import { limitsSchema, type Quota } from "../model/quota.ts";
import { metadataSchema, metadataView } from "./wire.ts";

export const quotaSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({ limits: z.object(limitsSchema.shape) }),
  status: z.object({
    /** Read with it, in a get or a list. */
    usage: z.object(limitsSchema.required().shape).optional(),
  }),
});

export function quotaView(quota: Quota): z.output<typeof quotaSchema> {
  return { id: quota.id, metadata: metadataView(quota), spec: quota.spec, status: {} };
}
