import { countKey, projectCountKey, totalKey, useKey } from "../../../core/kernel/object/keys.ts";
import {
  definitionOf,
  type Kinds,
  namesOf,
  type Reference,
} from "../../../core/kernel/object/kind.ts";
import { type Kind, pluralOf } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import { lineage, projectOf } from "../../../core/kernel/object/project.ts";
import type { Books, Check } from "./check.ts";
import { Sums } from "./sums.ts";
import type { Table } from "./table.ts";

const counted = ["count", "total"];

/** How many objects there are of a kind: of a tenant, in a project and below it, in all. */
export const counts: Check = {
  of: counted,
  wrong({ table, kinds }) {
    const sums = new Sums();
    for (const kind of namesOf(kinds)) {
      for (const object of table.objects(kind)) {
        const { id, metadata } = object;
        sums.add(countKey(kind, metadata.tenant), "count");
        sums.add(totalKey(kind, id), "count");
        const project = definitionOf(kinds, kind).inProjects ? projectOf(kinds, object) : undefined;
        for (const path of project === undefined ? [] : lineage(project))
          sums.add(projectCountKey(kind, metadata.tenant, path), "count");
      }
    }
    return sums.wrongIn(table, counted);
  },
};

/** The objects that an object refers to, where a kind's definition is not to be trusted. */
export type References = { readonly [K in Kind]?: (object: ObjectOf[K]) => Reference[] };

/** How many objects use an object, by kind. */
export const uses = (own: References = {}): Check<Books> => ({
  of: ["uses"],
  wrong({ table, kinds }) {
    const sums = new Sums();
    for (const kind of namesOf(kinds)) countUses(table, kinds, kind, own[kind], sums);
    return sums.wrongIn(table, ["uses"]);
  },
});

function countUses<K extends Kind>(
  table: Table,
  kinds: Kinds,
  kind: K,
  own: References[K],
  sums: Sums,
): void {
  const { attached, references } = definitionOf(kinds, kind);
  if (attached) return;
  for (const object of table.objects(kind)) {
    const { tenant, project } = object.metadata;
    const used = (own ?? references)?.(object) ?? [];
    const whole: Reference[] =
      project === undefined ? used : [...used, { kind: "project", id: `${tenant}/${project}` }];
    for (const { kind: of, id } of whole) sums.add(useKey(of, id, object.id), pluralOf(kind));
  }
}
