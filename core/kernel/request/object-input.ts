import * as z from "zod";
import { idSchema, systemMetadata } from "../input/reference.ts";
import { metadataInputSchema } from "../object/metadata.ts";

/**
 * Of the body of a request that makes or changes an object with this spec; the status is not the client's. A bundle makes
 * what such a name makes on first use (`infra/bundle/pure-modules.ts`).
 */
export const inputSchema = <Spec extends z.ZodType>(spec: Spec) =>
  z.strictObject({
    id: idSchema.optional(),
    metadata: metadataInputSchema.extend(systemMetadata),
    spec,
    status: z.unknown().optional(),
  });
