import * as z from "zod";
import { AppError } from "../../../error.ts";
import { type HttpReply, isTransient } from "../../../http.ts";

const faultSchema = z.looseObject({ faultstring: z.string() });
const errorSchema = z.looseObject({ error_message: z.unknown() });

/** The message of a refusal: JSON text in JSON, an object, or the fault itself. */
function saidIn({ json }: HttpReply): string | undefined {
  const outer = errorSchema.safeParse(json).data?.error_message ?? json;
  const inner = typeof outer === "string" ? parsed(outer) : outer;
  return faultSchema.safeParse(inner).data?.faultstring;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { faultstring: text };
  }
}

/** The port's error for an unexpected answer. `what` names the request. */
export function ironicError(reply: HttpReply, what: string): AppError {
  const { status } = reply;
  const said = saidIn(reply);
  const detail = `${what}: ${status} ${status >= 400 ? reply.text.slice(0, 2000) : ""}`;
  const unavailable = (message: string) => new AppError("Unavailable", message, { detail });
  if (status === 401) return unavailable("the bare metal service does not accept our credentials");
  if (status < 400) return unavailable("the answer of the bare metal service is malformed");
  // 409: the node is locked while Ironic works on it.
  if (isTransient(status) || status === 409)
    return unavailable(`the bare metal service cannot do this now (${status})`);
  const message = `the bare metal service refuses: ${said ?? status}`;
  return new AppError("Rejected", message, { detail });
}
