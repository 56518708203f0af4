import {
  countKey,
  namedUseKey,
  projectCountKey,
  totalKey,
  useKey,
} from "../../../core/kernel/object/keys.ts";
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
import { wrongInClaims } from "./claims.ts";
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

/** How many objects use an object, by kind; and which, where the object's kind names its users. */
export const uses = (own: References = {}): Check<Books> => ({
  of: ["uses", "used-by"],
  wrong({ table, kinds }) {
    const all = namesOf(kinds).flatMap((kind) => usesBy(table, kinds, kind, own[kind]));
    const sums = new Sums();
    for (const { user, kind, id } of all) sums.add(useKey(kind, id, user.id), pluralOf(user.kind));
    const named = all.filter(({ kind }) => definitionOf(kinds, kind).referencedByOthers?.named);
    const items = named.map(({ user, kind, id }) => ({
      holder: `${user.kind} ${user.id}`,
      item: { ...namedUseKey(kind, id, user) },
    }));
    return [...sums.wrongIn(table, ["uses"]), ...wrongInClaims(table, ["used-by"], items)];
  },
});

/** The uses by the objects of a kind. */
function usesBy<K extends Kind>(
  table: Table,
  kinds: Kinds,
  of: K,
  own: References[K],
): (Reference & { user: ObjectOf[Kind] })[] {
  const { attached, references } = definitionOf(kinds, of);
  if (attached) return [];
  return table.objects(of).flatMap((user) => {
    const { tenant, project } = user.metadata;
    const used = (own ?? references)?.(user) ?? [];
    const whole: Reference[] =
      project === undefined ? used : [...used, { kind: "project", id: `${tenant}/${project}` }];
    return whole.map((use) => ({ ...use, user }));
  });
}
