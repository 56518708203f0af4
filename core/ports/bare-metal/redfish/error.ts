import * as z from "zod";
import { AppError } from "../../../error.ts";
import { type HttpReply, isTransient } from "../../../http.ts";

/** A message of a controller's error. */
export interface RedfishMessage {
  /** The last part of the message's id, such as `PropertyValueNotInList`. */
  id: string;
  text: string;
  /** What the message is about, such as `#/TransferProtocolType`. */
  about: string[];
}

const messageSchema = z
  .looseObject({
    MessageId: z.string().optional(),
    // Old iLOs write it so.
    MessageID: z.string().optional(),
    Message: z.string().optional(),
    RelatedProperties: z.array(z.string()).catch([]).default([]),
  })
  .transform(
    ({ MessageId, MessageID, Message, RelatedProperties }): RedfishMessage => ({
      id: (MessageId ?? MessageID ?? "").split(".").at(-1) ?? "",
      text: Message ?? "",
      about: RelatedProperties,
    }),
  );

const errorSchema = z.object({
  error: z.looseObject({
    code: z.string().optional(),
    message: z.string().optional(),
    // Some controllers answer a single one without a list.
    "@Message.ExtendedInfo": z
      .union([z.array(messageSchema), messageSchema.transform((message) => [message])])
      .optional(),
  }),
});

/** The messages in a refusal; none where the body is empty or of another form. */
export function messagesIn({ json }: HttpReply): RedfishMessage[] {
  const { error } = errorSchema.safeParse(json).data ?? {};
  if (!error) return [];
  const { code = "", message = "", "@Message.ExtendedInfo": extended = [] } = error;
  return extended.length > 0
    ? extended
    : [{ id: code.split(".").at(-1) ?? "", text: message, about: [] }];
}

/** Whether a refusal carries one of these messages. */
export const saysOneOf = (reply: HttpReply, ids: ReadonlySet<string>): boolean =>
  messagesIn(reply).some(({ id }) => ids.has(id));

/** Refusals that pass by themselves, whatever their status. */
const passing: ReadonlySet<string> = new Set([
  // A change of power is under way, or the firmware's self-test runs.
  "InvalidOperationForSystemState",
  "UnableToModifyDuringSystemPOST",
  "ActionParameterValueConflict",
  "ServiceTemporarilyUnavailable",
  "ServiceInUnknownState",
  "ResourceInUse",
  // Dell: the controller's own services are not ready, or it cannot answer now.
  "SYS446",
  "SYS518",
  // Dell: a job for the same device waits or runs.
  "STOR023",
]);

/** The port's error for an answer that its caller did not expect. `what` names the request. */
export function translated(reply: HttpReply, what: string): AppError {
  const { status } = reply;
  // The body of a success may hold a session's token.
  const detail = `${what}: ${status} ${status >= 400 ? reply.text.slice(0, 2000) : ""}`;
  const retryAfter = retryAfterOf(reply);
  const unavailable = (message: string) =>
    new AppError("Unavailable", message, { detail, ...(retryAfter && { retryAfter }) });
  if (status === 401) return unavailable("the server's controller does not accept our credentials");
  if (status < 400) return unavailable("the answer of the server's controller makes no sense");
  // 409 is a state that passes: something else is being done to the server.
  if (isTransient(status) || status === 409 || saysOneOf(reply, passing))
    return unavailable(`the server's controller is not able to do this now (${status})`);
  // Somebody else has changed it in between; the caller reads it again.
  if (status === 412 || status === 428)
    return unavailable(`the server's controller reports a change in between (${status})`);
  const said = messagesIn(reply)
    .map(({ text }) => text)
    .filter(Boolean)
    .join(" ");
  return new AppError("Rejected", `the server's controller refuses: ${said || status}`, { detail });
}

/** The seconds of a Retry-After header; undefined for none and for a date. */
function retryAfterOf({ headers }: HttpReply): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return seconds > 0 ? seconds : undefined;
}
