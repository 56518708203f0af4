/** What browsers may send from other origins, and read of answers. Tokens are all that says who asks: no cookies. */

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

/** Seconds for which a browser need not ask again. */
export const maxAge = 600;
