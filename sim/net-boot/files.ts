import type { FetchHandler } from "../kubernetes/api.ts";

/** The web server of a site that has what machines load. */
export const filesHost = "files.sim";
const filesUrl = `http://${filesHost}`;

export const files = {
  loader: `${filesUrl}/ipxe.efi`,
  installer: { kernel: `${filesUrl}/installer/vmlinuz`, initrd: `${filesUrl}/installer/initrd` },
  bfb: `${filesUrl}/bluefield.bfb`,
};

/** A tenant's script, whose system reads the seed that it is given. */
export const tenantScript = `https://${filesHost}/tenant.ipxe`;

const known = new Map([
  ...[files.loader, files.installer.kernel, files.installer.initrd, files.bfb].map(
    (file) => [file, "a file"] as const,
  ),
  [
    tenantScript,
    [
      "#!ipxe",
      // iPXE expands this itself.
      `kernel ${files.installer.kernel} image=docker://quay.io/tenant/own ds=nocloud;s=\${seed-url}`,
      "boot",
    ].join("\n"),
  ],
]);

/** It has these files, and nothing else. */
export const serveFiles: FetchHandler = async ({ url }) => {
  const file = known.get(url);
  return file === undefined ? new Response(null, { status: 404 }) : new Response(file);
};
