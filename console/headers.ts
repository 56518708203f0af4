/** The headers of the console's files, which the laptop's listener and, on AWS, CloudFront send. */

/**
 * The console's content security policy: everything is loaded from its own origin, and requests go
 * there, and to the origins at which people sign in.
 */
export const policyFor = (origins: readonly string[]): string =>
  [
    "default-src 'self'",
    `connect-src ${["'self'", ...new Set(origins)].join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The cache header of a file whose name contains its hash. */
export const lasting = "public, max-age=31536000, immutable";

/** The cache header of a page, which names the files of its release. */
export const asked = "no-cache";
