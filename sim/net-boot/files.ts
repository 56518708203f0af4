import type { FetchHandler } from "../kubernetes/api.ts";

/** The site's web server with the files that machines boot. */
export const filesHost = "files.sim";
const filesUrl = `http://${filesHost}`;

export const files = {
  loader: `${filesUrl}/ipxe.efi`,
  installer: { kernel: `${filesUrl}/installer/vmlinuz`, initrd: `${filesUrl}/installer/initrd` },
  bfb: `${filesUrl}/bluefield.bfb`,
};

/** A tenant's iPXE script, whose system reads the seed in its arguments. */
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

/** Serves these files only. */
export const serveFiles: FetchHandler = async ({ url }) => {
  const file = known.get(url);
  return file === undefined ? new Response(null, { status: 404 }) : new Response(file);
};
