import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** The folders of the repository's code, and who imports whom, types included. */

/** By folder, the folders that its files import, with how many imports there are. */
export type Arrows = ReadonlyMap<string, ReadonlyMap<string, number>>;

const roots = [
  ...(["agent", "bench", "cli", "core", "functions", "infra", "local", "sim"] as const),
  ...(["statemachines", "templates"] as const),
];

/** How many names of a path make a folder of its own: `core/kernel/saga`, `functions/api`, `agent`. */
const depths: Record<string, number> = { core: 3, functions: 2, statemachines: 2 };

export function folderOf(path: string): string {
  const names = path.split("/").slice(0, -1);
  return names.slice(0, depths[names[0] ?? ""] ?? 1).join("/");
}

/** The imports between folders below a directory. */
export function arrowsIn(directory: string): Arrows {
  const arrows = new Map<string, Map<string, number>>();
  for (const file of roots.flatMap((root) => sourcesIn(directory, root))) {
    const from = folderOf(file);
    const known = arrows.get(from) ?? new Map<string, number>();
    arrows.set(from, known);
    for (const imported of importsIn(readFileSync(join(directory, file), "utf8"))) {
      const to = folderOf(normalize(join(dirname(file), imported)));
      if (to !== from) known.set(to, (known.get(to) ?? 0) + 1);
    }
  }
  return arrows;
}

function sourcesIn(directory: string, folder: string): string[] {
  return readdirSync(join(directory, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : sourcesIn(directory, path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}

/** The paths of files of our own that a text imports, at its start or later, as values or as types. */
function importsIn(text: string): string[] {
  const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"$]+\.ts)"/g);
  return [...found].map(([, path = ""]) => path);
}

/** Groups of folders that import each other, over whatever others. */
export function knotsIn(arrows: Arrows): string[][] {
  const reached = new Map(
    [...arrows.keys()].map((folder) => [folder, reachedFrom(arrows, folder)]),
  );
  const knots = new Map<string, string[]>();
  for (const folder of arrows.keys()) {
    const tied = [...arrows.keys()].filter(
      (other) => reached.get(folder)?.has(other) && reached.get(other)?.has(folder),
    );
    if (tied.length > 0) knots.set(tied.sort().join(" "), tied);
  }
  return [...knots.values()];
}

/** A folder is reached from itself only where others lead back to it. */
function reachedFrom(arrows: Arrows, start: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const next = [start];
  for (let folder = next.pop(); folder !== undefined; folder = next.pop())
    for (const other of arrows.get(folder)?.keys() ?? [])
      if (!reached.has(other)) {
        reached.add(other);
        next.push(other);
      }
  return reached;
}
