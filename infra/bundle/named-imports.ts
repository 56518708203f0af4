import type { Metafile } from "esbuild";

/**
 * Throws for a dynamic import of a CommonJS module: esbuild gives such a file only a default export, so its names
 * would be undefined. Omitted packages (`withoutUnused`) are never loaded, so they need no names.
 */
export function refuseNamelessImports({ inputs }: Pick<Metafile, "inputs">): void {
  const nameless = Object.values(inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ kind, path, external }) => {
      const isLeftOut = path.startsWith("unused:");
      return kind === "dynamic-import" && !external && !isLeftOut && inputs[path]?.format === "cjs";
    });
  if (nameless.length === 0) return;
  const paths = [...new Set(nameless.map(({ path }) => path))];
  throw new Error(`imported when needed, and in CommonJS, without names: ${paths.join(", ")}`);
}
