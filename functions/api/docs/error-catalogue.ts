import { type ErrorKind, errorKinds } from "../../../core/error.ts";
import { errorPath, problems } from "../problem.ts";

/** What each kind of error means to who gets it, and what can be done; in the reference and in docs/api.md. */
export const errorCatalogue: Record<ErrorKind, { means: string; remedy: string }> = {
  Invalid: {
    means:
      "Something in the request is wrong by itself. `errors` names every field at once; an empty field is the whole body, and headers and parameters go by their names.",
    remedy: "Correct what is named and send it again. 413: the body is larger than 1 MiB.",
  },
  Unauthenticated: {
    means: "There is no token, or it has expired, is for somebody else, or names nobody.",
    remedy:
      "Get a token of one of the issuers that `GET /api/fulfillment/v1/capabilities` names, and send it as `Authorization: Bearer`.",
  },
  Forbidden: {
    means: "You are known, and may not do this. A role or a membership in the project is missing.",
    remedy: "Ask an administrator of your tenant. Each operation of the reference names its roles.",
  },
  NotFound: {
    means: "There is no such object or path. What belongs to another tenant is not there either.",
    remedy: "Look at the id: objects are addressed by id, and found by name with a filter.",
  },
  AlreadyExists: {
    means: "Another object of this kind has the name or the id.",
    remedy:
      "Take another name. If the other one may be yours, from a request whose answer was lost, send an `Idempotency-Key` next time.",
  },
  Conflict: {
    means:
      "Somebody else changed the object first, or another operation on it has to end before this one.",
    remedy: "Read the object again and decide anew.",
  },
  PreconditionFailed: {
    means: "The object is no longer the version that `If-Match` names.",
    remedy: "Read it again, and send its new ETag with the change that is still wanted.",
  },
  FailedPrecondition: {
    means: "The object's state does not allow this now: it is in use, has not failed, has ended.",
    remedy: "`detail` says what stands in the way. When that is gone, the same request succeeds.",
  },
  IdempotencyMismatch: {
    means: "The `Idempotency-Key` came within a day with another body.",
    remedy: "Use a new key for a new request, and the old one only to repeat the old one.",
  },
  QuotaExceeded: {
    means:
      "The tenant or the project has as much as it may have. `quota` names each limit, what is used and what was asked for.",
    remedy: "Order less, delete something, or ask the provider for more.",
  },
  RateLimited: {
    means:
      "You, or all users of your tenant together, ask too often, or have too many watches that wait. `detail` says which limit.",
    remedy: "Wait as many seconds as `Retry-After` says. To follow changes, watch events.",
  },
  Rejected: {
    means: "A system behind Slipway understood what it was asked for and refused it.",
    remedy:
      "`detail` has its words. Mostly seen as the reason of an operation that failed and gave everything back.",
  },
  Unavailable: {
    means: "Something that is needed for the answer cannot be reached now.",
    remedy: "Send the same request again after `Retry-After`. Orders that wait need nothing.",
  },
  DeadlineExceeded: {
    means: "It took longer than it may take.",
    remedy: "Look at what the operation waited for; then try again.",
  },
  Cancelled: {
    means: "Somebody cancelled the operation before it was done.",
    remedy:
      "`failure.given_back` says whether everything that it took is given back. Retry or order anew if it is still wanted.",
  },
  Unimplemented: {
    means: "The path is there, the method is not.",
    remedy: "The reference has the methods of every path.",
  },
  Internal: {
    means: "A defect of Slipway's. Nothing of it was stored, unless the object says otherwise.",
    remedy: "Tell the provider the `request_id`, which its log has, too.",
  },
};

/** As Markdown, one heading a kind. */
export const catalogueText = (): string =>
  (Object.keys(errorKinds) as ErrorKind[])
    .map((kind) => {
      const { status, code, title } = problems[kind];
      const { means, remedy } = errorCatalogue[kind];
      return `### ${title}\n\n\`${errorPath(kind)}\`, status ${status}, code ${code}. ${means} ${remedy}\n`;
    })
    .join("\n");
