import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Plugin } from "esbuild";

/**
 * Bundles the routes that the API loads with the first request for them as one file, since each further file slows
 * that request. The routes of events have a function of their own, so they stay apart.
 */
export const oneLazyFile: Plugin = {
  name: "one-lazy-file",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\// }, ({ kind, importer, path }) =>
      kind === "dynamic-import" &&
      importer.endsWith(join("functions", "api", families)) &&
      path !== apart
        ? { path: dirname(importer), namespace: "one-lazy-file" }
        : undefined,
    );
    onLoad({ filter: /./, namespace: "one-lazy-file" }, async ({ path }) => ({
      contents: lazyExports(await readFile(join(path, families), "utf8")),
      resolveDir: path,
    }));
  },
};

const families = "families.ts";
const apart = "./events.ts";

/** A module that exports what this code takes of the files that it loads lazily. */
export function lazyExports(code: string): string {
  const taken = code.matchAll(/\(await import\(("[^"]+")\)\)\.(\w+)/g);
  const lines = Array.from(taken, ([, file, name]) => `export { ${name} } from ${file};`);
  return [...new Set(lines)].filter((line) => !line.includes(apart)).join("\n");
}
