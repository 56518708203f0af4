import { readdirSync, readFileSync } from "node:fs";

/** Names that more than one file of the product exports. */

const roots = ["agent", "cli", "core", "functions", "statemachines", "templates"];

/**
 * Exported in many files by design: every kind registers itself under them (`core/resources/generate.ts`), and every
 * Lambda function has a handler.
 */
const registered = new Set([
  ...["api", "documentation", "kind", "permissions", "reaction", "rules", "wire", "actions"],
  ...["absence", "machines", "meanings", "observer", "operated", "owning", "packed", "unpacked"],
  "handler",
]);

const exported =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** By name, the files that define and export it, where there are several. */
export function homonyms(): Map<string, string[]> {
  const files = new Map<string, Set<string>>();
  for (const file of roots.flatMap(sourcesIn))
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(exported))
      files.set(name, (files.get(name) ?? new Set()).add(file));
  return new Map(
    [...files]
      .filter(([name, { size }]) => size > 1 && !registered.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, found]) => [name, [...found].sort()]),
  );
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "generated" ? [] : sourcesIn(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}
