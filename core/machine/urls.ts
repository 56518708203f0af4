import { percentEncoded } from "../kernel/input/url.ts";
import type { Asked } from "./serving.ts";

/** The root path of the site controller's contract, below a site's `machines.url`. */
export const contractPath = "/site/v1";

/** The URLs for a machine with this token. */
export function urlsOf(base: string, token: string): Asked["urls"] {
  const root = `${inert(base).replace(/\/+$/, "")}${contractPath}`;
  return {
    boot: `${root}/boot/${token}`,
    loader: `${root}/boot/${token}/ipxe.efi`,
    // cloud-init appends the names of its files.
    seed: `${root}/seed/${token}/`,
    phoneHome: `${root}/phone-home/${token}`,
    contract: root,
  };
}

/**
 * The URL without characters that programs on a machine misread: cloud-init expands `$NAME`, ends the URL of
 * a seed at `;`, and corrupts non-ASCII characters in scripts; a tenant's script may use the URL without
 * quotes.
 */
function inert(url: string): string {
  const { href } = URL.parse(url) ?? { href: url };
  return href.replace(/[^\w.~:/?#@%[\]=+,-]+/g, percentEncoded);
}
