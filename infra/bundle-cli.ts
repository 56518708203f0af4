import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { exits } from "../cli/exit.ts";
import manifest from "../package.json" with { type: "json" };
import { refuseNamelessImports } from "./bundle/named-imports.ts";
import { banner, common, root } from "./bundle.ts";
import { buildFolder } from "./bundle-folder.ts";

/** The best compression would save a tenth of the size, and take ten times as long. */
const packing = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Where the package has its program. */
export const bundledCli = join(root, buildFolder, "slipway.mjs");

/** What a start of the bundled CLI reads: the parts that its entry imports before it parses its arguments. */
export interface Start {
  parts: number;
  bytes: number;
}

/** The CLI in parts, by their names: its entry, `index.mjs`, and its imports, some of them lazy. */
export async function cliParts(): Promise<{ parts: Record<string, Uint8Array>; meta: Metafile }> {
  const outdir = join(root, buildFolder, "cli");
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: { index: "cli/slipway.js" },
    outdir,
    splitting: true,
    write: false,
    banner: { js: banner },
  });
  refuseNamelessImports(metafile);
  const parts = outputFiles.map(
    ({ path, contents }) => [relative(outdir, path), contents] as const,
  );
  return { parts: Object.fromEntries(parts), meta: metafile };
}

/**
 * Bundles the CLI into one file, which needs only Node. Each lazy part is compressed in it, and is decompressed and
 * compiled at its first use. Run as a program, it writes under `.build/`.
 */
export async function bundleCli(file: string): Promise<Start> {
  const { parts, meta } = await cliParts();
  const packed = Object.entries(parts).map(([name, contents]) => [
    name,
    brotliCompressSync(contents, packing).toString("base64"),
  ]);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, unpacking(Object.fromEntries(packed), oldestNode()));
  await chmod(file, 0o755);
  return startOf(meta);
}

/** The oldest Node that runs Slipway, such as `22.19`, by the package. */
function oldestNode(): string {
  const [, version] = /^>=(\d+\.\d+)$/.exec(manifest.engines.node) ?? [];
  if (version === undefined) throw new Error("package.json names the oldest Node as >=22.19");
  return version;
}

/**
 * The program with the parts embedded, as files below its own URL. A Node that is too old must be able to parse it,
 * to say so: its syntax is that of ES2020, and newer features of Node are not imported by name.
 */
const unpacking = (parts: Record<string, string>, oldest: string): string => `#!/usr/bin/env node
import * as nodeModule from "node:module";
import { brotliDecompressSync } from "node:zlib";
const oldest = "${oldest}";
const [major, minor] = process.versions.node.split(".").map(Number);
const [leastMajor, leastMinor] = oldest.split(".").map(Number);
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  process.stderr.write(\`slipway needs Node \${oldest} or later; this is \${process.versions.node}\n\`);
  process.exit(${exits.usage});
}
const parts = ${JSON.stringify(parts)};
const home = \`\${import.meta.url}/\`;
const isPart = (url) => url !== undefined && url.startsWith(home);
nodeModule.registerHooks({
  resolve: (name, context, next) =>
    isPart(context.parentURL) && name.startsWith("./")
      ? { url: new URL(name, home).href, format: "module", shortCircuit: true }
      : isPart(name)
        ? { url: name, format: "module", shortCircuit: true }
        : next(name, context),
  load: (url, context, next) =>
    isPart(url)
      ? {
          source: brotliDecompressSync(Buffer.from(parts[url.slice(home.length)], "base64")),
          format: "module",
          shortCircuit: true,
        }
      : next(url, context),
});
import(\`\${home}index.mjs\`);
`;

/** The parts that the entry imports, and what it awaits at once. */
function startOf({ outputs }: Metafile): Start {
  const known = new Map(Object.entries(outputs));
  const found = new Set<string>();
  const visit = (path: string) => {
    const output = known.get(path);
    if (!output || found.has(path)) return;
    found.add(path);
    // The entry imports its first parts dynamically, after its cache is ready.
    const isEntry = output.entryPoint === "cli/slipway.js";
    for (const each of output.imports)
      if (isEntry || each.kind === "import-statement") visit(each.path);
  };
  for (const [path, { entryPoint }] of known) if (entryPoint === "cli/slipway.js") visit(path);
  const bytes = [...found].reduce((sum, path) => sum + (known.get(path)?.bytes ?? 0), 0);
  return { parts: found.size, bytes };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleCli(bundledCli);
