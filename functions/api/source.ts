import { createHash, timingSafeEqual } from "node:crypto";

/**
 * The address that a request came from. Of one that came by the console, the gateway sees an address of CloudFront's;
 * CloudFront says whose it is, and proves by a secret that it is CloudFront who says so.
 */

/** What CloudFront proves itself with. It replaces what a browser sends under this name. */
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
