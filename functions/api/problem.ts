import * as z from "zod";
import type { AppError, ErrorKind } from "../../core/error.ts";

/** Errors on the wire: RFC 9457 problems with OSAC's members, so that clients of both can read them. */

/** HTTP status, gRPC code and title of every kind of error. */
export const problems = {
  Invalid: { status: 400, code: 3, title: "Invalid request" },
  Unauthenticated: { status: 401, code: 16, title: "Not authenticated" },
  Forbidden: { status: 403, code: 7, title: "Permission denied" },
  NotFound: { status: 404, code: 5, title: "Not found" },
  AlreadyExists: { status: 409, code: 6, title: "Already exists" },
  Conflict: { status: 409, code: 10, title: "Conflict" },
  PreconditionFailed: { status: 412, code: 9, title: "Precondition failed" },
  FailedPrecondition: { status: 400, code: 9, title: "Not possible in this state" },
  IdempotencyMismatch: { status: 422, code: 3, title: "Idempotency key reused" },
  QuotaExceeded: { status: 403, code: 8, title: "Quota exceeded" },
  RateLimited: { status: 429, code: 8, title: "Too many requests" },
  Rejected: { status: 502, code: 14, title: "Refused by another system" },
  Unavailable: { status: 503, code: 14, title: "Unavailable" },
  DeadlineExceeded: { status: 504, code: 4, title: "Deadline exceeded" },
  Cancelled: { status: 499, code: 1, title: "Cancelled" },
  Unimplemented: { status: 501, code: 12, title: "Not implemented" },
  Internal: { status: 500, code: 13, title: "Internal error" },
} as const satisfies Record<ErrorKind, { status: number; code: number; title: string }>;

export const httpStatusOf = (kind: ErrorKind): number => problems[kind].status;

/** The path of the page about a kind of error; the `type` of its problems. */
export const errorPath = (kind: ErrorKind): string =>
  `/docs/errors/${kind.replaceAll(/(?<=.)[A-Z]/g, "-$&").toLowerCase()}`;

export const problemSchema = z.object({
  type: z.string().describe("Path of the page that explains the kind of error."),
  title: z.string().describe("The kind of error, for people."),
  status: z.int().describe("The HTTP status."),
  detail: z.string().describe("What was wrong with this request."),
  instance: z.string().describe("Path that was asked for."),
  errors: z
    .array(
      z.object({
        field: z.string().describe("Path of the field; empty for the whole body."),
        message: z.string().describe("What is wrong with it, and what would be right."),
      }),
    )
    .describe("Every field that was wrong, at once."),
  code: z.int().describe("The kind of error as gRPC numbers it."),
  message: z.string().describe("As `detail`, for OSAC's clients."),
  details: z
    .array(
      z.object({
        "@type": z.string().describe("URL of the protobuf type."),
        field_violations: z
          .array(
            z.object({
              field: z.string().describe("Path of the field, from `object`."),
              description: z.string().describe("What is wrong with it."),
            }),
          )
          .describe("Every field that was wrong."),
      }),
    )
    .optional()
    .describe("As `errors`, for OSAC's clients."),
  quota: z
    .array(
      z.object({
        tenant: z.string().describe("Name of the tenant."),
        project: z
          .string()
          .optional()
          .describe("Path of the project; absent for the whole tenant's quota."),
        dimension: z.string().describe("The member of the quota's limits."),
        host_type: z
          .string()
          .optional()
          .describe("Name of the host type, where hosts are limited."),
        limit: z.int().describe("The limit."),
        used: z.int().describe("How much is used already."),
        asked: z.int().describe("How much more the request asked for."),
      }),
    )
    .optional()
    .describe("The limits that the request exceeds."),
  in_use: z
    .array(
      z.object({
        kind: z.string().describe("The kind of the users, such as `role_binding`."),
        count: z.int().describe("How many users of this kind there are."),
        objects: z
          .array(
            z.object({
              id: z.string().describe("Id of the user."),
              name: z.string().describe("Its name."),
            }),
          )
          .describe(
            "The first of them that you see, up to ten of all kinds; empty where a kind may have too many.",
          ),
      }),
    )
    .optional()
    .describe("What uses the object that the request would delete."),
  retryable: z.boolean().describe("Whether the same request may succeed later."),
  request_id: z.string().describe("The request's id in the provider's log."),
  error: z
    .object({
      code: z.int().describe("The kind of error as gRPC numbers it."),
      message: z.string().describe("What was wrong."),
    })
    .optional()
    .describe("Only of a watch: the problem as OSAC's event stream wraps it."),
});
export type Problem = z.output<typeof problemSchema>;

export function problemOf(
  error: AppError,
  place: { instance: string; requestId: string },
  status?: number,
): Problem {
  const kind = problems[error.kind];
  const { violations } = error;
  const details = {
    "@type": "type.googleapis.com/google.rpc.BadRequest",
    field_violations: violations.map(({ field, message }) => ({
      field: field === "" ? "object" : `object.${field}`,
      description: message,
    })),
  };
  return {
    type: errorPath(error.kind),
    title: kind.title,
    status: status ?? kind.status,
    detail: error.message,
    instance: place.instance,
    errors: violations,
    code: kind.code,
    message: error.message,
    ...(violations.length > 0 ? { details: [details] } : {}),
    ...(error.quota.length > 0 ? { quota: error.quota } : {}),
    ...(error.inUse.length > 0 ? { in_use: error.inUse } : {}),
    retryable: error.retryable,
    request_id: place.requestId,
  };
}
