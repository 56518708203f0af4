import * as z from "zod";
import { idSchema, systemMetadata } from "../input/reference.ts";
import { metadataInputSchema } from "../object/metadata.ts";

/**
 * The schema of a request's body that creates or changes an object with this spec; the status of a body is ignored. A
 * bundle evaluates calls of functions with such names on first use (`infra/bundle/pure-modules.ts`).
 */
export const inputSchema = <Spec extends z.ZodType>(spec: Spec) =>
  z.strictObject({
    id: idSchema.optional(),
    metadata: metadataInputSchema.extend(systemMetadata),
    spec,
    status: z.unknown().optional(),
  });
