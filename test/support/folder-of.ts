import { statSync } from "node:fs";

/**
 * The folder of real data that a variable of the environment names; undefined where it is not set. Throws where it names
 * no folder: a wrong path would skip every test that the data judges.
 */
export function folderOf(variable: string): string | undefined {
  const folder = process.env[variable];
  if (folder === undefined) return undefined;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new Error(`${variable} names no folder: '${folder}'`);
}
