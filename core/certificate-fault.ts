/** Node's codes for a certificate that no known authority has signed. */
const unsigned: ReadonlySet<unknown> = new Set([
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_SIGNATURE_FAILURE",
]);

const others: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "has expired",
  CERT_NOT_YET_VALID: "is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "is for another host",
};

/**
 * The fault of a server's certificate that made a request fail, such as "has expired"; undefined for other errors.
 * `authority`: who should have signed the certificate.
 */
export function certificateFault(error: unknown, authority: string): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const code = "code" in each ? each.code : undefined;
    if (unsigned.has(code)) return `is not signed by ${authority}`;
    if (typeof code === "string" && others[code] !== undefined) return others[code];
  }
  return undefined;
}
