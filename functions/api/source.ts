import { createHash, timingSafeEqual } from "node:crypto";

/**
 * The address that a request came from. For a request through the console the gateway sees an address of
 * CloudFront, which adds the browser's address and a secret as proof of its origin.
 */

/** The header with CloudFront's secret. CloudFront replaces any value that a browser sends. */
export const proofHeader = "x-slipway-console";
/** The browser's address, as CloudFront sees it. */
export const viewerHeader = "x-slipway-viewer";

interface Asked {
  /** The address that the gateway sees. */
  seen: string | undefined;
  header(name: string): string | undefined;
  /** CloudFront's secret; absent without a console. */
  proof: string | undefined;
}

export function sourceOf({ seen, header, proof }: Asked): string | undefined {
  const given = header(proofHeader);
  const isOfConsole = proof !== undefined && given !== undefined && isSame(given, proof);
  return (isOfConsole ? header(viewerHeader) : undefined) ?? seen;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const isSame = (given: string, proof: string): boolean =>
  timingSafeEqual(digest(given), digest(proof));
