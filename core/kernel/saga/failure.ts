import * as z from "zod";
import type { Failure } from "../object/failure.ts";

/** The wire form of why something failed or was stopped. */
export const failureSchema = z.object({
  step: z.string().optional().describe("The step that failed; absent where none had begun."),
  kind: z.string().describe("The kind of error, as problems have it."),
  message: z.string().describe("What went wrong, or who or what ended it, in words."),
  call: z
    .string()
    .optional()
    .describe(
      "The call that was refused, such as `PATCH hostedclusters/demo`. For administrators.",
    ),
  given_back: z
    .boolean()
    .optional()
    .describe(
      "Whether everything that was claimed is released. The rest stays with its target until that is changed, retried or deleted.",
    ),
});

/** The members of a failure that name a system of the provider, for kinds whose status has a failure. */
export const privateInFailures = ["status.failure.call"] as const;

export const failureView = ({ step, ...rest }: Failure): z.output<typeof failureSchema> => ({
  ...(step === "" ? {} : { step }),
  ...rest,
});
