import * as z from "zod";
import { AppError } from "../../error.ts";
import { type HttpReply, isTransient } from "../../http.ts";

const detailSchema = z.looseObject({ detail: z.string() });

/** NetBox's explanation of a refusal: `detail`, or the texts of the fields, which may be nested. */
function saidIn(json: unknown): string {
  const { data } = detailSchema.safeParse(json);
  return data ? data.detail : textsIn(json).join("; ");
}

function textsIn(json: unknown): string[] {
  if (typeof json === "string") return [json];
  if (Array.isArray(json)) return json.flatMap(textsIn);
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([field, value]) =>
    textsIn(value).map((text) =>
      /^(__all__|non_field_errors)$/.test(field) ? text : `${field}: ${text}`,
    ),
  );
}

/** The port's error for an unexpected answer. `what` names the request. */
export function netboxError(reply: HttpReply, what: string): AppError {
  const { status, json } = reply;
  const said = saidIn(json) || String(status);
  const detail = `${what}: ${status} ${status >= 400 ? reply.text.slice(0, 2000) : ""}`;
  const unavailable = (message: string) => new AppError("Unavailable", message, { detail });
  // NetBox never answers 401: an unknown token and a missing permission are both 403.
  if (status === 403) return unavailable(`NetBox does not let us: ${said}`);
  if (status < 400) return unavailable("NetBox's answer is malformed");
  if (status === 412) return unavailable("another client has changed the object in NetBox");
  if (isTransient(status)) return unavailable(`NetBox cannot do this now (${status})`);
  return new AppError("Rejected", `NetBox refuses: ${said}`, { detail });
}
