import { X509Certificate } from "node:crypto";
import { hours, timestamp, timeText } from "./clock.ts";

/** The end of certificates and tokens, and whether it is soon. Pure, except for the parser. */

/** How long before the end the warning begins. */
export const soonEnds = hours(30 * 24);

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** When the first of these certificates (PEM) ends, as RFC 3339; undefined where none can be read. */
export function certificatesEnd(pem: string): string | undefined {
  const ends = (pem.match(pemCertificate) ?? []).flatMap((one) => {
    try {
      return [Date.parse(new X509Certificate(one).validTo)];
    } catch {
      return [];
    }
  });
  return ends.length === 0 ? undefined : timestamp(Math.min(...ends));
}

/** When a token ends that carries its end (a JWT's `exp`), as RFC 3339; undefined for any other. */
export function tokenEnd(token: string): string | undefined {
  const [, payload = "", signature] = token.split(".");
  if (signature === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { exp?: unknown };
    return typeof exp === "number" ? timestamp(exp * 1000) : undefined;
  } catch {
    return undefined;
  }
}

/** The warning about something that ends soon, or has ended. */
export interface Ending {
  hasEnded: boolean;
  /** Since when it ends soon, or has ended. */
  since: string;
  words: string;
}

/**
 * The warning about something that ends at `ends`; undefined while that is more than 30 days ahead. `now` in
 * milliseconds.
 */
export function endingSoon(ends: string, now: number): Ending | undefined {
  const end = Date.parse(ends);
  if (now >= end) return { hasEnded: true, since: ends, words: `has ended at ${timeText(ends)}` };
  if (now < end - soonEnds) return undefined;
  return { hasEnded: false, since: timestamp(end - soonEnds), words: `ends at ${timeText(ends)}` };
}
