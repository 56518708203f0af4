import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { banner, common, root } from "./bundle.ts";
import { buildFolder } from "./bundle-folder.ts";

/** Bundles the command line into one file, which needs nothing but Node. Run as a program, it writes under `.build/`. */
export async function bundleCli(file: string): Promise<void> {
  await build({
    ...common,
    entryPoints: ["cli/slipway.ts"],
    outfile: file,
    outExtension: {},
    banner: { js: banner },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await bundleCli(join(root, buildFolder, "slipway.mjs"));
