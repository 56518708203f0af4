import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";
import { buildFolder } from "./bundle-folder.ts";
import { type FunctionName, functionNames, functions } from "./functions.ts";

/**
 * Bundles each function to `<folder>/<function>/index.mjs`, which is what is deployed and what the
 * tests load. Run as a program, it does so under `.build/`.
 */

export const root = resolve(import.meta.dirname, "..");

export interface Bundle {
  name: FunctionName;
  file: string;
  bytes: number;
  meta: Metafile;
}

/** CommonJS packages inside call `require` for Node's own modules. */
const banner =
  'import { createRequire as slipwayRequire } from "node:module"; const require = slipwayRequire(import.meta.url);';

export async function bundleFunction(name: FunctionName, folder: string): Promise<Bundle> {
  const file = join(folder, name, "index.mjs");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [functions[name].entry],
    outfile: file,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "es2024",
    mainFields: ["module", "main"],
    banner: { js: banner },
    legalComments: "none",
    // The chain of other sources (SSO, profiles, STS, instance metadata) is a sixth of a bundle.
    alias: { "@aws-sdk/credential-provider-node": "./infra/bundle/environment-credentials.ts" },
    plugins: [withoutJsonSchema],
    metafile: true,
    logLevel: "warning",
  });
  const [output] = Object.values(metafile.outputs);
  if (!output) throw new Error(`${name} has no output`);
  return { name, file, bytes: output.bytes, meta: metafile };
}

/** zod from and to JSON Schema, which no function does; a schema refers to them when it is made. */
const withoutJsonSchema: Plugin = {
  name: "without-json-schema",
  setup({ onLoad }) {
    const filter =
      /[\\/]zod[\\/]v4[\\/](core[\\/](json-schema-processors|to-json-schema|json-schema-generator)|classic[\\/]from-json-schema)\.js$/;
    onLoad({ filter }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const names = text.matchAll(/^export (?:const|function|class) (\w+)/gm);
      return {
        contents: Array.from(names, ([, name]) => `export const ${name} = () => {};`).join("\n"),
      };
    });
  },
};

export async function bundleAll(folder: string): Promise<Bundle[]> {
  return Promise.all(functionNames.map((name) => bundleFunction(name, folder)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, bytes } of await bundleAll(join(root, buildFolder)))
    console.log(`${name} ${Math.round(bytes / 1024)} KB`);
}
