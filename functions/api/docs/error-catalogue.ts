import { type ErrorKind, errorKinds } from "../../../core/error.ts";
import { errorPath, problems } from "../problem.ts";

/** The meaning and the remedy of each kind of error, for clients; shown in the reference and in docs/api.md. */
export const errorCatalogue: Record<ErrorKind, { means: string; remedy: string }> = {
  Invalid: {
    means:
      "The request itself is wrong. `errors` names every wrong field; an empty field is the whole body.",
    remedy: "Correct them and send the request again. 413: the body is larger than 1 MiB.",
  },
  Unauthenticated: {
    means: "The token is missing, has expired, is for another service, or names no user.",
    remedy: "Get a token of an issuer that `GET /api/fulfillment/v1/capabilities` names.",
  },
  Forbidden: {
    means: "You lack a role, or a membership in the project.",
    remedy: "Ask an administrator of your tenant. Each operation of the reference names its roles.",
  },
  NotFound: {
    means: "There is no such object or path, or the object is another tenant's.",
    remedy: "Objects are addressed by id, and found by name with a filter.",
  },
  AlreadyExists: {
    means: "Another object of this kind has the name or the id.",
    remedy:
      "Take another name. If a request of yours whose answer was lost made it, send an `Idempotency-Key` next time.",
  },
  Conflict: {
    means: "Somebody else changed the object first, or another operation on it has to end first.",
    remedy: "Read the object again, and send the change if it still applies.",
  },
  PreconditionFailed: {
    means: "The object is no longer the version that `If-Match` names.",
    remedy: "Read it again, and send its new ETag with the change if it still applies.",
  },
  FailedPrecondition: {
    means: "The object's state does not allow this now: it is in use, has not failed, has ended.",
    remedy:
      "`detail` says why, and `in_use` names what uses an object that cannot be deleted. Without it the same request succeeds.",
  },
  IdempotencyMismatch: {
    means: "The `Idempotency-Key` came within a day with another body.",
    remedy: "Use a new key for a new request.",
  },
  QuotaExceeded: {
    means:
      "The tenant or the project has reached a limit. `quota` names each limit, its use, and the amount asked for.",
    remedy: "Order less, delete something, or ask the provider for more.",
  },
  RateLimited: {
    means:
      "You or your tenant send too many requests, or have too many waiting watches. `detail` names the limit.",
    remedy: "Wait as many seconds as `Retry-After` says. To follow changes, watch events.",
  },
  Rejected: {
    means: "A system behind Slipway understood the request and refused it.",
    remedy: "`detail` has its message.",
  },
  Unavailable: {
    means: "A system that is needed for the answer cannot be reached now.",
    remedy:
      "Send the same request again after `Retry-After`. Orders that wait continue by themselves.",
  },
  DeadlineExceeded: {
    means: "The operation took longer than its deadline.",
    remedy: "See what the operation waited for, then try again.",
  },
  Cancelled: {
    means: "Somebody cancelled the operation before it was done.",
    remedy:
      "`failure.given_back` says whether everything that it claimed is released. Retry, or order again.",
  },
  Unimplemented: {
    means: "The path exists, but not with this method.",
    remedy: "The reference lists the methods of every path.",
  },
  Internal: {
    means: "A defect of Slipway. Nothing was stored, unless the object says otherwise.",
    remedy: "Tell the provider the `request_id`, which is in its log too.",
  },
};

/** The catalogue as Markdown, with one heading for each kind. */
export const catalogueText = (): string =>
  (Object.keys(errorKinds) as ErrorKind[])
    .map((kind) => {
      const { status, code, title } = problems[kind];
      const { means, remedy } = errorCatalogue[kind];
      return `### ${title}\n\n\`${errorPath(kind)}\`, status ${status}, code ${code}. ${means} ${remedy}\n`;
    })
    .join("\n");
