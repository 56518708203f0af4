import type { Asked } from "./serving.ts";

/** Where the contract begins, below a site's `machines.url`. */
export const contractPath = "/site/v1";

/** Where a machine with this token reaches its things. */
export function urlsOf(base: string, token: string): Asked["urls"] {
  const root = `${base.replace(/\/+$/, "")}${contractPath}`;
  return {
    boot: `${root}/boot/${token}`,
    loader: `${root}/boot/${token}/ipxe.efi`,
    // cloud-init puts the names of the files behind it.
    seed: `${root}/seed/${token}/`,
    phoneHome: `${root}/phone-home/${token}`,
    contract: root,
  };
}
