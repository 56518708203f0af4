import { createHash, timingSafeEqual } from "node:crypto";

/**
 * The address that a request came from. For a request through the console the gateway sees an address of CloudFront's;
 * CloudFront adds the browser's address, and a secret that proves who added it.
 */

/** The header with the secret of CloudFront. It replaces what a browser sends under this name. */
export const proofHeader = "x-slipway-console";
/** The browser's address, as CloudFront saw it. */
export const viewerHeader = "x-slipway-viewer";

interface Asked {
  /** The address that the gateway saw. */
  seen: string | undefined;
  header(name: string): string | undefined;
  /** The secret that CloudFront has; absent where there is no console. */
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
