import { ApiException } from "@kubernetes/client-node";
import * as z from "zod";
import { AppError } from "../error.ts";
import { NoAnswer } from "./connection.ts";
import type { ObjectName } from "./kube-object.ts";

/** The Status object with which an API server refuses. */
const statusSchema = z.object({
  message: z.string().optional(),
  reason: z.string().optional(),
  details: z
    .object({ causes: z.array(z.object({ reason: z.string().optional() })).optional() })
    .optional(),
});
type Status = z.infer<typeof statusSchema>;

/** The HTTP status of a refusal; 404 also where the server does not know the kind at all. */
export function codeOf(error: unknown): number | undefined {
  if (error instanceof ApiException) return error.code;
  // What the client throws when the group is served and the kind in it is not.
  const notServed =
    error instanceof Error && error.message.startsWith("Unrecognized API version and kind");
  return notServed ? 404 : undefined;
}

/**
 * Makes ours of what the Kubernetes client threw about `what`: Unavailable, Rejected, or Conflict when
 * somebody else wrote first. `system` is what people call the server. What it says about a Secret is
 * dropped: it may quote from it.
 */
export function translate(error: unknown, what: ObjectName | string, system = "the hub"): AppError {
  const name = typeof what === "string" ? what : `${what.kind} ${what.metadata.name}`;
  const code = codeOf(error);
  const unavailable = (message: string, detail: string) =>
    new AppError("Unavailable", message, { detail: `${name}: ${detail}`, cause: error });
  if (error instanceof NoAnswer) return unavailable(`${system} does not answer`, error.message);
  if (code === undefined)
    return unavailable(`the answer of ${system} makes no sense`, String(error));

  const secret = typeof what !== "string" && what.kind === "Secret";
  const body = error instanceof ApiException && !secret ? String(error.body) : "";
  const said = statusOf(body);
  if (code === 401) return unavailable(`${system} does not accept our credentials`, body);
  if (code === 408 || code === 410 || code === 429 || code >= 500) {
    return unavailable(`${system} is not able to answer now (${code})`, body);
  }
  if (code === 409) {
    return new AppError("Conflict", `${name} is being changed by somebody else`, { detail: body });
  }
  if (said?.details?.causes?.some((cause) => cause.reason === "NamespaceTerminating")) {
    return unavailable("its namespace is still being removed", body);
  }
  const message = said?.message ?? `${system} does not take ${name} (${code})`;
  return new AppError("Rejected", message, {
    detail: `${name}: ${code} ${body}`,
    ...(!secret && { cause: error }),
  });
}

function statusOf(body: string): Status | undefined {
  try {
    return statusSchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}
