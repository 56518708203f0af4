import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folderOf } from "../../../support/folder-of.ts";

/** OSAC's descriptors in tables, beside the captures. */

const tables = join(folderOf("CAPTURES_DIR") ?? "", "../reference/osac");
export const hasDescriptors = existsSync(join(tables, "messages.tsv"));

const rowsOf = (name: string): string[][] =>
  readFileSync(join(tables, name), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"));

/** The members of every collection that OSAC's descriptors have, of both areas, sorted. */
export function describedMembers(): Record<string, string[]> {
  const fields = Map.groupBy(rowsOf("messages.tsv"), ([area, message]) => `${area} ${message}`);
  const found = new Map<string, Set<string>>();
  for (const [area = "", , method, , answer, http = ""] of rowsOf("services.tsv")) {
    const name = /\/v1\/(\w+)\/\{id\}$/.exec(http)?.[1];
    const message = fields.get(`${area} ${answer}`)?.[0]?.[4];
    if (method !== "Get" || name === undefined || message === undefined) continue;
    const paths = pathsOf(fields, area, message);
    found.set(name, new Set([...(found.get(name) ?? []), ...paths]));
  }
  return Object.fromEntries([...found].map(([name, paths]) => [name, [...paths].toSorted()]));
}

/** The first name of every path below the area; of a path without an area, the path. */
export const describedPaths = (): string[] => [
  ...new Set(
    rowsOf("services.tsv").flatMap(([, , , , , http = ""]) => {
      const [, path = ""] = http.split(" ");
      const name = /^\/api\/\w+\/v1\/(\w+)/.exec(path)?.[1] ?? path;
      return name === "" ? [] : [name];
    }),
  ),
];

/** A reference or a condition is one member. */
const isWhole = (type: string) => /(Reference|Condition)$/.test(type);

function pathsOf(fields: Map<string, string[][]>, area: string, message: string): string[] {
  return (fields.get(`${area} ${message}`) ?? []).flatMap(([, , name = "", , type = "", label]) => {
    if (name === "metadata" || name === "") return [];
    const inMap = /^map<string,(.+)>$/.exec(type)?.[1];
    const inner = inMap ?? type;
    if (isWhole(inner) || !fields.has(`${area} ${inner}`)) return [name];
    const mark = inMap ? ".*" : label === "repeated" ? "[]" : "";
    return pathsOf(fields, area, inner).map((path) => `${name}${mark}.${path}`);
  });
}

/** The members of every object's metadata. */
export const describedMetadata = (): string[] =>
  rowsOf("messages.tsv").flatMap(([, message, name = ""]) =>
    message === "Metadata" ? [name] : [],
  );
