import { cp, readFile, stat, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import * as zod from "zod";
import { scalarScript } from "../functions/api/docs/scalar.ts";
import { leanUndici } from "./bundle/lean-undici.ts";
import { refuseNamelessImports } from "./bundle/named-imports.ts";
import { oneLazyFile } from "./bundle/one-lazy-file.ts";
import { oneStart } from "./bundle/one-start.ts";
import { pureModules } from "./bundle/pure-modules.ts";
import { buildFolder } from "./bundle-folder.ts";
import { type FunctionName, functionNames, functions } from "./functions.ts";

/**
 * Bundles each function to `<folder>/<function>/index.mjs`, which is deployed and loaded by the tests.
 * Run as a program, it writes under `.build/`.
 */

export const root = resolve(import.meta.dirname, "..");

export interface Bundle<Name extends string = FunctionName> {
  name: Name;
  file: string;
  bytes: number;
  meta: Metafile;
}

export const common = {
  absWorkingDir: root,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "es2024",
  mainFields: ["module", "main"],
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  alias: {
    // The same code as ES modules: unused parts are dropped, and dynamic imports have named exports.
    "yaml/util": "./node_modules/yaml/browser/dist/util.js",
    yaml: "./node_modules/yaml/browser/dist/index.js",
  },
} as const satisfies BuildOptions;

/** CommonJS packages inside call `require` for Node's own modules. */
export const banner =
  'import { createRequire as slipwayRequire } from "node:module"; const require = slipwayRequire(import.meta.url);';

/**
 * Packages that Lambda never uses and that are omitted: proxies, other logins and commands of the Kubernetes
 * client, which the hub port refuses anyway; and the package of a script that is bundled as a file.
 */
const unused =
  /^(@scalar\/fastify-api-reference|socks|socks-proxy-agent|https?-proxy-agent|hpagent|tar-fs|openid-client|jsonpath-plus|isomorphic-ws|ws|js-yaml|stream-buffers)$/;

async function bundleFunction(name: FunctionName, folder: string): Promise<Bundle> {
  const { entry, assets, without } = functions[name];
  // Files that the function's code reads at run time.
  if (assets) {
    const target = join(folder, name, "assets");
    await cp(join(root, assets), target, { recursive: true });
    await writeFile(join(target, "scalar.js.gz"), await scalarScript());
  }
  return bundleEntry(name, entry, folder, without);
}

/** Bundles any file of the repository like a function, without these members of its sagas' steps. */
export async function bundleEntry<Name extends string>(
  name: Name,
  entry: string,
  folder: string,
  without: readonly string[] = [],
): Promise<Bundle<Name>> {
  const outdir = join(folder, name);
  const { metafile } = await build({
    ...common,
    entryPoints: { index: entry },
    outdir,
    chunkNames: "chunk-[hash]",
    // Keeps dynamic imports in separate files, so that they are loaded only when needed.
    splitting: true,
    banner: { js: banner },
    alias: {
      ...common.alias,
      // The chain of other sources (SSO, profiles, STS, instance metadata) is a sixth of a bundle.
      "@aws-sdk/credential-provider-node": "./infra/bundle/environment-credentials.ts",
      "@aws-sdk/middleware-endpoint-discovery": "./infra/bundle/no-endpoint-discovery.ts",
    },
    plugins: [
      withoutJsonSchema,
      oneLazyFile,
      pureModules(without),
      withoutManifests,
      withoutUnused,
      leanUndici,
      withoutIdlePackages,
      withoutWebSocket,
    ],
  });
  refuseNamelessImports(metafile);
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  if (inputs.includes("infra/bundle/lazy-zod.ts")) await bundleZod(inputs, outdir);
  const file = join(outdir, "index.mjs");
  await oneStart(relative(root, file), metafile, root, common);
  return { name, file, bytes: (await stat(file)).size, meta: metafile };
}

/** Bundles the parts of zod that these modules use into a separate file beside them. */
async function bundleZod(inputs: string[], outdir: string): Promise<void> {
  const ours = inputs.filter((path) => path.endsWith(".ts"));
  const texts = await Promise.all(ours.map((path) => readFile(join(root, path), "utf8")));
  const named = texts.flatMap((text) =>
    Array.from(text.matchAll(/\bz\.(\w+)/g), ([, name]) => name),
  );
  // Names of types are not exports of the module.
  const used = [...new Set(named)].filter(
    (name) => name !== undefined && name in zod && name !== "core",
  );
  await build({
    ...common,
    stdin: { contents: `export { ${used.join(", ")} } from "zod";`, resolveDir: root },
    outfile: join(outdir, "zod.mjs"),
    outExtension: {},
    plugins: [withoutJsonSchema],
  });
}

const withoutUnused: Plugin = {
  name: "without-unused",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: unused }, ({ path }) => ({ path, namespace: "unused" }));
    onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** Drops CommonJS packages without side effects from modules that import but do not use them. */
const withoutIdlePackages: Plugin = {
  name: "without-idle-packages",
  setup({ onResolve, resolve }) {
    onResolve(
      { filter: /^(ipaddr\.js$|semver\/)/ },
      async ({ path, kind, resolveDir, pluginData }) => {
        if (pluginData === "resolved") return undefined;
        const found = await resolve(path, { kind, resolveDir, pluginData: "resolved" });
        return { ...found, sideEffects: false };
      },
    );
  },
};

/**
 * An import of `node:http` reads all its members; for one of them, `WebSocket`, Node loads all of fetch. A
 * `require` reads only the used members.
 */
const withoutWebSocket: Plugin = {
  name: "without-web-socket",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?http$/ }, ({ kind, path }) =>
      kind === "import-statement" ? { path, namespace: "required", sideEffects: false } : undefined,
    );
    onLoad({ filter: /./, namespace: "required" }, ({ path }) => ({
      contents: `module.exports = require("${path}");`,
    }));
  },
};

/** An AWS client reads only the version from its package.json, for the user agent. */
const withoutManifests: Plugin = {
  name: "without-manifests",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, "utf8"));
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
  },
};

/**
 * Drops zod's conversions from and to JSON Schema, which schemas refer to but no function uses, and zod's other
 * languages.
 */
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
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
  },
};

export async function bundleAll(folder: string): Promise<Bundle[]> {
  return Promise.all(functionNames.map((name) => bundleFunction(name, folder)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, bytes } of await bundleAll(join(root, buildFolder)))
    console.log(`${name} ${Math.round(bytes / 1024)} KB`);
}
