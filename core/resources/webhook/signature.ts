import { createHmac, randomBytes } from "node:crypto";

/**
 * Standard Webhooks: signatures by which a receiver verifies that a delivery is from Slipway and unchanged. Written by
 * hand: the reference library brings its own SHA-256 and signs with one secret; a rotation needs two.
 */

const prefix = "whsec_";

export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString("base64")}`;

/** `whsec_` and a key of 24 to 64 bytes in base64. */
export function isWebhookSecret(text: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  const { length } = keyOf(text);
  return length >= 24 && length <= 64;
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), "base64");

/** The headers of a delivery, with a signature by each secret, because a receiver may know either. */
export function signedHeaders(
  { id, seconds, body }: { id: string; seconds: number; body: string },
  secrets: string[],
): Record<string, string> {
  const signed = `${id}.${seconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac("sha256", keyOf(secret)).update(signed).digest("base64")}`,
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}
