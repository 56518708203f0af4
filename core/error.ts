import { bounds, cut } from "./bounds.ts";
import type { Outside } from "./outside.ts";

/**
 * The only error class of the product. A customer may read `message`; `detail` and the chain of causes are for the log
 * and never leave it. Adapters translate errors of their system into one of these kinds at the edge; only the API turns
 * kinds into HTTP statuses.
 */

/** Every kind, and whether a retry can help. */
export const errorKinds = {
  Invalid: { retry: false },
  Unauthenticated: { retry: false },
  Forbidden: { retry: false },
  NotFound: { retry: false },
  AlreadyExists: { retry: false },
  /** Somebody else changed the object first, or its state does not allow the change. */
  Conflict: { retry: false },
  /** The caller named a version (If-Match) that is no longer current. */
  PreconditionFailed: { retry: false },
  /** The object's state does not allow this now: it is in use, has not failed, or has ended. */
  FailedPrecondition: { retry: false },
  /** The Idempotency-Key was used for another request. */
  IdempotencyMismatch: { retry: false },
  /** The tenant or the project has reached its quota. */
  QuotaExceeded: { retry: false },
  /** The caller asks too often. */
  RateLimited: { retry: true },
  /** The system outside understood the request and refused it: the order unwinds. */
  Rejected: { retry: false },
  /** The system outside did not answer (timeout, connection, 429, 5xx): the order waits. */
  Unavailable: { retry: true },
  DeadlineExceeded: { retry: false },
  Cancelled: { retry: false },
  Unimplemented: { retry: false },
  /** A defect of ours. */
  Internal: { retry: false },
} as const satisfies Record<string, { retry: boolean }>;

export type ErrorKind = keyof typeof errorKinds;

/**
 * A fault in one field of a request; `field` is its path, such as `spec.node_sets.workers.size`.
 */
export interface Violation {
  field: string;
  message: string;
  /** Other fields that the rule reads; answers do not show them. */
  beside?: readonly string[];
}

/** An amount that exceeds a quota. */
export interface QuotaRefusal {
  tenant: string;
  /** Absent for the quota of the whole tenant. */
  project?: string;
  /** The member of the quota's limits. */
  dimension: string;
  host_type?: string;
  limit: number;
  used: number;
  asked: number;
}

/** Objects of one kind that use an object, so that it cannot be deleted. */
export interface InUse {
  kind: string;
  count: number;
  /** The users that the error names. The others exceed the limit, or the caller may not see them. */
  objects: { id: string; name: string }[];
}

export interface ErrorOptions {
  /** For the log only. */
  detail?: string;
  cause?: unknown;
  violations?: Violation[];
  quota?: QuotaRefusal[];
  inUse?: InUse[];
  /** For retryable kinds: seconds until the next try. */
  retryAfter?: number;
  /** The call that got no answer, or was refused, such as `PATCH hostedclusters/demo`. Only the provider sees it. */
  call?: string | undefined;
}

/**
 * Limits of an error's size: a client may send ten thousand faults, and an answer repeats messages
 * several times. `violations` is a count, the others are bytes.
 */
const most = { violations: 100, field: 400, message: 400, whole: 10_000 };

export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly detail: string | undefined;
  /** The first hundred. */
  readonly violations: Violation[];
  readonly quota: QuotaRefusal[];
  readonly inUse: InUse[];
  /** Seconds until a retry may succeed; 5 by default. */
  readonly retryAfter: number;
  /** The system that answered with this error, if a caller further up has added it. */
  from?: Outside;
  /** The call that it did not answer, or refused, if a caller further up has added it. Only the provider sees it. */
  call: string | undefined;
  /** The last call that the system refused, if a caller further up has added it. Only the provider sees it. */
  refused?: { call: string; status: number };

  constructor(kind: ErrorKind, message: string, options: ErrorOptions = {}) {
    super(
      cut(message, most.whole),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    // Step Functions matches errors by name.
    this.name = kind;
    this.kind = kind;
    this.detail = options.detail;
    this.call = options.call && cut(options.call, bounds.name);
    this.violations = (options.violations ?? []).slice(0, most.violations).map((each) => ({
      field: cut(each.field, most.field),
      message: cut(each.message, most.message),
    }));
    this.quota = options.quota ?? [];
    this.inUse = options.inUse ?? [];
    this.retryAfter = options.retryAfter ?? 5;
  }

  get retryable(): boolean {
    return errorKinds[this.kind].retry;
  }
}

/** Whether `error` is an AppError of this kind. */
export function isKind(error: unknown, kind: ErrorKind): error is AppError {
  return error instanceof AppError && error.kind === kind;
}

/** Turns anything thrown into an AppError; an unexpected error becomes `Internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new AppError("Internal", "internal error", { detail, cause: error });
}

/** The log's form of anything thrown. */
export function logged(thrown: unknown): { kind: ErrorKind; detail: string } {
  const { kind, message, detail = message } = toAppError(thrown);
  return { kind, detail };
}
