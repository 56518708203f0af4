import { expect, it } from "vitest";
import { AppError, type ErrorKind } from "../../../core/error.ts";
import { problemOf } from "../../../functions/api/problem.ts";

/** What clients go by: the status, gRPC's number, and whether to ask again. */

const told: Record<ErrorKind, [status: number, code: number, retryable: boolean, type: string]> = {
  Invalid: [400, 3, false, "invalid"],
  Unauthenticated: [401, 16, false, "unauthenticated"],
  Forbidden: [403, 7, false, "forbidden"],
  NotFound: [404, 5, false, "not-found"],
  AlreadyExists: [409, 6, false, "already-exists"],
  Conflict: [409, 10, false, "conflict"],
  PreconditionFailed: [412, 9, false, "precondition-failed"],
  FailedPrecondition: [400, 9, false, "failed-precondition"],
  IdempotencyMismatch: [422, 3, false, "idempotency-mismatch"],
  QuotaExceeded: [403, 8, false, "quota-exceeded"],
  RateLimited: [429, 8, true, "rate-limited"],
  Rejected: [502, 14, false, "rejected"],
  Unavailable: [503, 14, true, "unavailable"],
  DeadlineExceeded: [504, 4, false, "deadline-exceeded"],
  Cancelled: [499, 1, false, "cancelled"],
  Unimplemented: [501, 12, false, "unimplemented"],
  Internal: [500, 13, false, "internal"],
};

it.each(Object.entries(told) as [ErrorKind, (typeof told)[ErrorKind]][])(
  "%s is told as %j",
  (kind, expected) => {
    const problem = problemOf(new AppError(kind, "why"), { instance: "/x", requestId: "r" });
    const { status, code, retryable, type } = problem;
    expect([status, code, retryable, type.replace("/docs/errors/", "")]).toEqual(expected);
    expect(problem).toMatchObject({ detail: "why", message: "why", request_id: "r" });
  },
);
