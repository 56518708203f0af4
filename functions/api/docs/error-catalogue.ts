import { type ErrorKind, errorKinds } from "../../../core/error.ts";
import { errorPath, problems } from "../problem.ts";

/** The meaning and the remedy of each kind of error, for clients; shown in the reference and in docs/api.md. */
export const errorCatalogue: Record<ErrorKind, { means: string; remedy: string }> = {
  Invalid: {
    means:
      "The request itself is wrong. `errors` names every wrong field; without a field the whole body is wrong.",
    remedy: "Correct the fields and send the request again. A body above 1 MiB is 413.",
  },
  Unauthenticated: {
    means: "The token is missing, expired or for another service, or it names no user.",
    remedy: "Get a token from an issuer that `GET /api/fulfillment/v1/capabilities` names.",
  },
  Forbidden: {
    means: "You lack a role, or a membership in the project.",
    remedy: "Ask an administrator of your tenant. The reference names the roles of each operation.",
  },
  NotFound: {
    means: "The object or path does not exist, or the object is another tenant's.",
    remedy: "Paths take an object's id. To find an object by its name, use a filter.",
  },
  AlreadyExists: {
    means: "Another object of this kind has the name or the id.",
    remedy:
      "Choose another name. If you lost the answer to an earlier request, that request may have made the object. An `Idempotency-Key` prevents this.",
  },
  Conflict: {
    means: "Somebody else has changed the object, or another operation on it has to end first.",
    remedy: "Read the object again. Send your change again if it still applies.",
  },
  PreconditionFailed: {
    means: "The object has changed since the version that `If-Match` names.",
    remedy: "Read the object again. Send your change with the new ETag if it still applies.",
  },
  FailedPrecondition: {
    means:
      "The object's state does not allow this now: for example, another object uses it, or it has not failed.",
    remedy:
      "`detail` gives the reason. If you delete, `in_use` names the objects that use yours. Send the request again when the reason is gone.",
  },
  IdempotencyMismatch: {
    means: "You sent this `Idempotency-Key` with another body in the last 24 hours.",
    remedy: "Use a new key for a new request.",
  },
  QuotaExceeded: {
    means:
      "The tenant or the project has reached a limit. `quota` names each limit, its use, and the amount of your order.",
    remedy: "Order less, delete something, or ask the provider for a higher limit.",
  },
  RateLimited: {
    means:
      "You or your tenant send too many requests, or have too many watches at a time. `detail` names the limit.",
    remedy:
      "Wait as many seconds as `Retry-After` says. Watch events in place of repeated requests.",
  },
  Rejected: {
    means: "A system behind Slipway understood the request and refused it.",
    remedy: "`detail` has the system's message.",
  },
  Unavailable: {
    means: "A system that the answer needs is unreachable.",
    remedy:
      "Send the same request again after `Retry-After`. Orders that wait continue by themselves.",
  },
  DeadlineExceeded: {
    means: "The operation took longer than its deadline.",
    remedy: "Find in the operation what it waited for, then retry.",
  },
  Cancelled: {
    means: "Somebody cancelled the operation before its end.",
    remedy: "Retry, or order again. `failure.given_back` says whether Slipway released everything.",
  },
  Unimplemented: {
    means: "The path exists, but not with this method.",
    remedy: "The reference lists the methods of every path.",
  },
  Internal: {
    means: "A defect of Slipway. Nothing was stored, unless the object shows a change.",
    remedy: "Tell the provider the `request_id`, which the provider's log has too.",
  },
};

/** The catalogue as a table in Markdown; remedies are on the page of each error. */
export const catalogueText = (): string =>
  [
    "error (status, code) | what it means",
    "---|---",
    ...(Object.keys(errorKinds) as ErrorKind[]).map((kind) => {
      const { status, code } = problems[kind];
      const name = errorPath(kind).split("/").at(-1);
      return `\`${name}\` (${status}, ${code}) | ${errorCatalogue[kind].means}`;
    }),
  ]
    .join("\n")
    .concat("\n");
