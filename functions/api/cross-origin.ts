/**
 * What browsers of other origins may send, and which headers they may read. Callers authenticate by tokens alone,
 * never by cookies.
 */

export const allowedMethods = ["GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"];

export const allowedHeaders = [
  ...["Authorization", "Content-Type", "Accept"],
  ...["Idempotency-Key", "If-Match", "Last-Event-ID", "X-Dry-Run", "X-Request-Id"],
  ...["Slipway-On-Behalf-Of", "Slipway-On-Behalf-Of-User"],
];

export const exposedHeaders = [
  ...["ETag", "Operation-Location", "Retry-After", "Idempotent-Replayed", "X-Request-Id"],
  ...["Last-Event-ID", "RateLimit", "RateLimit-Policy", "WWW-Authenticate"],
];

/** How many seconds a browser may cache the answer to a preflight. */
export const maxAge = 600;
