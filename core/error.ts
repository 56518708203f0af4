import type { Outside } from "./kernel/saga/outside.ts";

/**
 * The one error of the product. `message` is what a customer may read; `detail` and the cause
 * chain are for the log only and never leave it. Adapters translate what their system says into
 * one of these kinds at the edge; HTTP codes are decided last, by the API.
 */

/** Every kind, with whether trying the same thing again can help. */
export const errorKinds = {
  Invalid: { retry: false },
  Unauthenticated: { retry: false },
  Forbidden: { retry: false },
  NotFound: { retry: false },
  AlreadyExists: { retry: false },
  /** Somebody else changed it first, or its state does not allow this. */
  Conflict: { retry: false },
  /** The caller named a version (If-Match) that is no longer current. */
  PreconditionFailed: { retry: false },
  /** The object's state does not allow this now: in use, not failed, already ended. */
  FailedPrecondition: { retry: false },
  /** An Idempotency-Key came back with another request. */
  IdempotencyMismatch: { retry: false },
  /** The tenant or the project has as much as it may have. */
  QuotaExceeded: { retry: false },
  /** Asked too often. */
  RateLimited: { retry: true },
  /** The system outside understood and refused: the order unwinds. */
  Rejected: { retry: false },
  /** The system outside could not be asked (timeout, connection, 429, 5xx): the order waits. */
  Unavailable: { retry: true },
  DeadlineExceeded: { retry: false },
  Cancelled: { retry: false },
  Unimplemented: { retry: false },
  /** Our own defect. */
  Internal: { retry: false },
} as const satisfies Record<string, { retry: boolean }>;

export type ErrorKind = keyof typeof errorKinds;

/** What is wrong with one field of a request; `field` is its path, such as `spec.node_sets.workers.size`. */
export interface Violation {
  field: string;
  message: string;
}

/** What was asked for beyond a quota. */
export interface QuotaRefusal {
  tenant: string;
  /** Absent: the quota of the whole tenant. */
  project?: string;
  /** A member of a quota's limits. */
  dimension: string;
  host_type?: string;
  limit: number;
  used: number;
  asked: number;
}

export interface ErrorOptions {
  /** For the log only. */
  detail?: string;
  cause?: unknown;
  violations?: Violation[];
  quota?: QuotaRefusal[];
  /** Of what is retryable: in how many seconds. */
  retryAfter?: number;
}

/**
 * What an error says at most: whoever sends ten thousand faults must be answered, and what is said
 * goes into answers several times over. `violations` counts them, the others are characters.
 */
const most = { violations: 100, field: 400, message: 400, whole: 10_000 };

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;

export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly detail: string | undefined;
  /** The first hundred. */
  readonly violations: Violation[];
  readonly quota: QuotaRefusal[];
  /** In how many seconds the same may go well; 5 where nobody knows better. */
  readonly retryAfter: number;
  /** Whose answer it was, once somebody who knows has passed it on. */
  from?: Outside;

  constructor(kind: ErrorKind, message: string, options: ErrorOptions = {}) {
    super(
      cut(message, most.whole),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    // Step Functions matches errors by name.
    this.name = kind;
    this.kind = kind;
    this.detail = options.detail;
    this.violations = (options.violations ?? []).slice(0, most.violations).map((each) => ({
      field: cut(each.field, most.field),
      message: cut(each.message, most.message),
    }));
    this.quota = options.quota ?? [];
    this.retryAfter = options.retryAfter ?? 5;
  }

  get retryable(): boolean {
    return errorKinds[this.kind].retry;
  }
}

/** Whether `error` is ours and of this kind. */
export function isKind(error: unknown, kind: ErrorKind): error is AppError {
  return error instanceof AppError && error.kind === kind;
}

/** Turns whatever was thrown into an AppError; what we did not expect is `Internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new AppError("Internal", "internal error", { detail, cause: error });
}
