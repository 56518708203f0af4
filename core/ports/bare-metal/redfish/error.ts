import * as z from "zod";
import { AppError } from "../../../error.ts";
import { type HttpReply, isTransient } from "../../../http.ts";

/** A message in a controller's error. */
export interface RedfishMessage {
  /** The last part of the message's id, such as `PropertyValueNotInList`. */
  id: string;
  text: string;
  /** Such as `OK`, `Warning` and `Critical`; undefined if absent. */
  severity: string | undefined;
  /** The properties that the message is about, such as `#/TransferProtocolType`. */
  about: string[];
}

const text = z.string().optional().catch(undefined);

/** A message of an answer or of a task. */
export const redfishMessageSchema = z
  .looseObject({
    MessageId: text,
    // The spelling of old iLOs.
    MessageID: text,
    Message: text,
    Severity: text,
    // Newer messages have it instead of `Severity`.
    MessageSeverity: text,
    RelatedProperties: z.array(z.string()).catch([]).default([]),
  })
  .transform(
    ({
      MessageId,
      MessageID,
      Message,
      Severity,
      MessageSeverity,
      RelatedProperties,
    }): RedfishMessage => ({
      id: lastOf(MessageId ?? MessageID ?? ""),
      text: Message ?? "",
      severity: MessageSeverity ?? Severity,
      about: RelatedProperties,
    }),
  );

const lastOf = (messageId: string): string => messageId.split(".").at(-1) ?? "";

const extendedSchema = z
  // Some controllers answer a single message without a list.
  .union([z.array(redfishMessageSchema), redfishMessageSchema.transform((message) => [message])])
  .optional();

const errorSchema = z.object({
  error: z.looseObject({
    code: z.string().optional(),
    message: z.string().optional(),
    "@Message.ExtendedInfo": extendedSchema,
  }),
});
const annotatedSchema = z.object({ "@Message.ExtendedInfo": extendedSchema });

/**
 * The messages in an answer, in an error or beside other members; empty if the body is empty or has another
 * form.
 */
export function redfishMessagesIn({ json }: HttpReply): RedfishMessage[] {
  const { error } = errorSchema.safeParse(json).data ?? {};
  if (!error) return annotatedSchema.safeParse(json).data?.["@Message.ExtendedInfo"] ?? [];
  const { code = "", message = "", "@Message.ExtendedInfo": extended = [] } = error;
  return extended.length > 0
    ? extended
    : [{ id: lastOf(code), text: message, severity: undefined, about: [] }];
}

/** Whether a refusal has one of these messages. */
export const saysOneOf = (reply: HttpReply, ids: ReadonlySet<string>): boolean =>
  redfishMessagesIn(reply).some(({ id }) => ids.has(id));

/** Messages of transient refusals, whatever the HTTP status. */
const passing: ReadonlySet<string> = new Set([
  // A power change is in progress, or the firmware's self-test runs.
  "InvalidOperationForSystemState",
  "UnableToModifyDuringSystemPOST",
  "ActionParameterValueConflict",
  "ServiceTemporarilyUnavailable",
  "ServiceInUnknownState",
  "ResourceInUse",
  // Dell: the controller's own services are not ready.
  "SYS446",
  "SYS518",
  // Dell: a job for the same device waits or runs.
  "STOR023",
]);

/** A controller's refusal, with the HTTP status. */
export class RedfishRefusal extends AppError {
  readonly status: number;

  constructor(status: number, said: string, detail: string) {
    super("Rejected", `the server's controller refuses: ${said || status}`, { detail });
    this.status = status;
  }
}

/** The port's error for an unexpected answer. `what` names the request. */
export function redfishError(reply: HttpReply, what: string): AppError {
  const { status } = reply;
  // The body of a success may contain a session token.
  const detail = `${what}: ${status} ${status >= 400 ? reply.text.slice(0, 2000) : ""}`;
  const retryAfter = retryAfterOf(reply);
  const unavailable = (message: string) =>
    new AppError("Unavailable", message, { detail, ...(retryAfter && { retryAfter }) });
  if (status === 401) return unavailable("the server's controller does not accept our credentials");
  if (status < 400) return unavailable("the answer of the server's controller is malformed");
  // 409 is transient: another change of the server is in progress.
  if (isTransient(status) || status === 409 || saysOneOf(reply, passing))
    return unavailable(`the server's controller cannot do this now (${status})`);
  // The resource has changed since it was read; the caller reads it again.
  if (status === 412 || status === 428)
    return unavailable(`the server's controller reports a change in between (${status})`);
  const said = redfishMessagesIn(reply)
    .map(({ text }) => text)
    .filter(Boolean)
    .join(" ");
  return new RedfishRefusal(status, said, detail);
}

/** The seconds of a Retry-After header; undefined if absent or a date. */
function retryAfterOf({ headers }: HttpReply): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return seconds > 0 ? seconds : undefined;
}
