import { isDeepStrictEqual } from "node:util";
import { inProjectKey, nameKey } from "../../../core/kernel/object/keys.ts";
import { definitionOf, type Kinds, namesOf } from "../../../core/kernel/object/kind.ts";
import { labelEntry } from "../../../core/kernel/object/labels.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import { projectOf } from "../../../core/kernel/object/project.ts";
import type { Item } from "../../../core/kernel/store/store.ts";
import type { Check } from "./check.ts";
import { shown, type Table } from "./table.ts";

/** An item that stands for an object, and goes when the object goes or needs the item no more. */
export interface Claim {
  holder: string;
  item: Item;
}

/** Whether the claims are just those that the stored objects hold, word by word. */
export function wrongInClaims(
  table: Table,
  words: readonly string[],
  held: readonly Claim[],
): string[] {
  const wanted = new Set(held.map(({ item }) => shown(item)));
  const stray = words
    .flatMap((word) => table.items(word))
    .filter((item) => !wanted.has(shown(item)))
    .map((item) => `the claim ${shown(item)} is left, and no object holds it`);
  const lacking = held.flatMap(({ holder, item }) => {
    const found = table.item(item);
    if (!found) return [`${holder} lacks its claim ${shown(item)}`];
    if (isDeepStrictEqual(found, item)) return [];
    return [`the claim ${shown(item)} of ${holder} says ${JSON.stringify(found)}`];
  });
  return [...stray, ...lacking];
}

/**
 * The claims that the kernel makes for each object: its name, its place in the list of its project, and in
 * those of its labels.
 */
function claimsOf(kinds: Kinds, object: ObjectOf[Kind]): Claim[] {
  const { kind, id, metadata } = object;
  const { attached, stored, inProjects } = definitionOf(kinds, kind);
  const project = inProjects ? projectOf(kinds, object) : undefined;
  const items: Item[] = [];
  if (!attached)
    items.push({
      ...nameKey(kind, metadata.tenant, metadata.project ?? "", metadata.name),
      id,
      ...stored?.claim?.(object),
    });
  if (project !== undefined) items.push({ ...inProjectKey(object, project), id });
  for (const [key, value] of Object.entries(metadata.labels))
    items.push(labelEntry(kinds, object, { key, value }));
  return items.map((item) => ({ holder: `${kind} ${id}`, item }));
}

const words = ["name", "inproject", "label"];

/** Names, lists of projects, and lists of labels. */
export const claims: Check = {
  of: words,
  wrong: ({ table, kinds }) =>
    wrongInClaims(
      table,
      words,
      namesOf(kinds).flatMap((kind) =>
        table.objects(kind).flatMap((object) => claimsOf(kinds, object)),
      ),
    ),
};
