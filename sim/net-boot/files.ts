import type { FetchHandler } from "../kubernetes/api.ts";

/** The web server of a site that has what machines load. */
export const filesUrl = "http://files.sim";

export const files = {
  loader: `${filesUrl}/ipxe.efi`,
  installer: { kernel: `${filesUrl}/installer/vmlinuz`, initrd: `${filesUrl}/installer/initrd` },
  bfb: `${filesUrl}/bluefield.bfb`,
};

const known = new Set([files.loader, files.installer.kernel, files.installer.initrd, files.bfb]);

/** It has these files, and nothing else. */
export const serveFiles: FetchHandler = async ({ url }) =>
  known.has(url) ? new Response("a file") : new Response(null, { status: 404 });
