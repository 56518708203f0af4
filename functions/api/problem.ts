import * as z from "zod";
import type { AppError, ErrorKind } from "../../core/error.ts";

/** Errors on the wire: RFC 9457 problems that carry OSAC's members too, so both kinds of client read them. */

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

export const statusOf = (kind: ErrorKind): number => problems[kind].status;

/** Where a kind of error is explained; the `type` of its problems. */
export const errorPath = (kind: ErrorKind): string =>
  `/docs/errors/${kind.replaceAll(/(?<=.)[A-Z]/g, "-$&").toLowerCase()}`;

export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })),
  /** As gRPC numbers them. */
  code: z.int(),
  message: z.string(),
  details: z
    .array(
      z.object({
        "@type": z.string(),
        field_violations: z.array(z.object({ field: z.string(), description: z.string() })),
      }),
    )
    .optional(),
  /** What was asked for beyond which limit. */
  quota: z
    .array(
      z.object({
        tenant: z.string(),
        project: z.string().optional(),
        dimension: z.string(),
        host_type: z.string().optional(),
        limit: z.int(),
        used: z.int(),
        asked: z.int(),
      }),
    )
    .optional(),
  /** Whether the same request may succeed later. */
  retryable: z.boolean(),
  request_id: z.string(),
  /** Of a watch: as OSAC's event stream wraps it. */
  error: z.object({ code: z.int(), message: z.string() }).optional(),
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
    retryable: error.retryable,
    request_id: place.requestId,
  };
}
