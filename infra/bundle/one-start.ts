import { rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";

/**
 * Joins a file and its static imports into one file, since each loaded file adds a millisecond to a start. Each
 * joined file is replaced by one that re-exports from the joint file, so lazy files still import the same modules.
 */
export async function oneStart(
  first: string,
  { outputs }: Metafile,
  root: string,
  options: BuildOptions,
): Promise<void> {
  const folder = join(root, dirname(first));
  const parts = startOf(first, outputs).filter((file) => file !== first);
  if (parts.length === 0) return;
  const named = (file: string, name: string) =>
    `${basename(file, ".mjs").replaceAll(/\W/g, "_")}_${name}`;
  const passed = parts.map((file) => {
    const exported = outputs[file]?.exports ?? [];
    const names = (form: (name: string) => string) => exported.map(form).join(", ");
    const path = JSON.stringify(`./${basename(file)}`);
    return {
      file: join(root, file),
      within: `export { ${names((name) => `${name} as ${named(file, name)}`)} } from ${path};`,
      instead: `export { ${names((name) => `${named(file, name)} as ${name}`)} } from "./${basename(first)}";\n`,
    };
  });
  const path = JSON.stringify(`./${basename(first)}`);
  await build({
    ...options,
    stdin: {
      contents: [`export * from ${path};`, ...passed.map(({ within }) => within)].join("\n"),
      resolveDir: folder,
    },
    outfile: join(root, first),
    allowOverwrite: true,
    plugins: [
      {
        name: "loaded-later",
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\// }, ({ path, kind }) =>
            kind === "dynamic-import" ? { path, external: true } : undefined,
          ),
      },
    ],
  });
  for (const { file, instead } of passed) {
    await rm(file);
    await writeFile(file, instead);
  }
}

/** A file with all its direct and indirect static imports. */
export function startOf(first: string, outputs: Metafile["outputs"]): string[] {
  const files = new Set([first]);
  for (const file of files) {
    const imports = outputs[file]?.imports ?? [];
    for (const { path, kind } of imports)
      if (kind === "import-statement" && outputs[path]) files.add(path);
  }
  return [...files];
}
