import type { Metafile } from "esbuild";

/**
 * Throws for a module in CommonJS that is imported when it is needed: esbuild gives such a part a default export alone,
 * so that each name that is read of it is undefined. What was left out (`withoutUnused`) is never loaded, and has no names.
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
