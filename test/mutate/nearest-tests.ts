import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, matchesGlob, normalize } from "node:path";
import { alone, waiting, worlds } from "../support/lists.ts";

/** Which tests run a file, the nearest first: by how many imports lie between. Tests of whole worlds are left out. */

const imported = /(?:from|import\()\s*"(\.[^"]+)"/g;
const isQuick = (file: string): boolean =>
  ![...alone, ...waiting, ...worlds].some((glob) => matchesGlob(file, glob));

export function nearestTests(target: string, count: number): string[] {
  const importers = new Map<string, string[]>();
  const files = globSync("{core,cli,agent,functions,infra,local,sim,statemachines,test}/**/*.ts");
  for (const file of files)
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(imported)) {
      const found = normalize(join(dirname(file), path));
      importers.set(found, [...(importers.get(found) ?? []), file]);
    }
  const seen = new Set([target]);
  // A set grows while it is read: breadth first.
  for (const file of seen) for (const importer of importers.get(file) ?? []) seen.add(importer);
  const tests = [...seen].filter((file) => file.endsWith(".test.ts") && isQuick(file));
  const own = `test/${target.replace(/\.ts$/, ".test.ts")}`;
  return [...new Set([...(existsSync(own) ? [own] : []), ...tests])].slice(0, count);
}
