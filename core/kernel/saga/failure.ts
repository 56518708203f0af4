import * as z from "zod";
import type { Failure } from "../object/failure.ts";

/** The wire form of why something failed or was stopped. */
export const failureSchema = z.object({
  step: z.string().optional().describe("The step that failed; absent if none had begun."),
  kind: z.string().describe("The kind of error, as in problems."),
  message: z.string().describe("The error, or who or what ended the operation."),
  call: z
    .string()
    .optional()
    .describe("The refused call, such as `PATCH hostedclusters/demo`. For administrators."),
  given_back: z
    .boolean()
    .optional()
    .describe(
      "Whether everything that was claimed is released. Otherwise the target keeps the rest until it is changed, retried or deleted.",
    ),
});

/** The members of a failure that name a system of the provider, for kinds whose status has a failure. */
export const privateInFailures = ["status.failure.call"] as const;

export const failureView = ({ step, ...rest }: Failure): z.output<typeof failureSchema> => ({
  ...(step === "" ? {} : { step }),
  ...rest,
});
