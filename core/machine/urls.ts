import { percentEncoded } from "../kernel/input/url.ts";
import type { Asked } from "./serving.ts";

/** Where the contract begins, below a site's `machines.url`. */
export const contractPath = "/site/v1";

/** Where a machine with this token reaches its things. */
export function urlsOf(base: string, token: string): Asked["urls"] {
  const root = `${inert(base).replace(/\/+$/, "")}${contractPath}`;
  return {
    boot: `${root}/boot/${token}`,
    loader: `${root}/boot/${token}/ipxe.efi`,
    // cloud-init puts the names of the files behind it.
    seed: `${root}/seed/${token}/`,
    phoneHome: `${root}/phone-home/${token}`,
    contract: root,
  };
}

/**
 * The URL in characters that no program on a machine takes for something else: cloud-init expands `$NAME`, ends the URL
 * of a seed at `;`, and spoils all but ASCII in a script; a tenant's own script may have it without quotes.
 */
function inert(url: string): string {
  const { href } = URL.parse(url) ?? { href: url };
  return href.replace(/[^\w.~:/?#@%[\]=+,-]+/g, percentEncoded);
}
