import * as z from "zod";

/** The forms of a reference: `{id}`, `{name}`, both, or a text that is either. */
export const referenceInputSchema = z.union(
  [
    z.string().min(1).max(253),
    z.strictObject({
      id: z.string().max(253).optional().describe("The id of the object that is referred to."),
      name: z
        .string()
        .max(253)
        .optional()
        .describe("The name of the object; if an id is given too, both must match."),
      project: z.string().max(253).optional().describe("Accepted from OSAC's clients; ignored."),
      shared: z.boolean().optional().describe("Accepted from OSAC's clients; ignored."),
    }),
  ],
  {
    error: ({ input }) =>
      input === undefined
        ? "is required"
        : "must be a reference {id, name}, or a string that is an id or a name",
  },
);
export type ReferenceInput = z.output<typeof referenceInputSchema>;

const systemText = z.unknown().optional().describe("Written by Slipway; ignored in requests.");

/**
 * Members of metadata that only the server writes; they are accepted and ignored, so that clients can send an
 * object back.
 */
export const systemMetadata = {
  creator: systemText,
  creation_timestamp: systemText,
  deletion_timestamp: systemText,
  finalizers: systemText,
  version: z.int().min(0).optional().describe("The expected version, with `lock=true`."),
};

/** Ids that a client may choose; they have to be valid as label values on hubs. */
export const idSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/,
    "must be 1 to 63 letters, digits, '-', '_' or '.'",
  )
  .describe("Chosen by Slipway; only the provider's administrators may set it in a new object.");
