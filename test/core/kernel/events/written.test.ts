import { expect, it } from "vitest";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import type { Kinds, Reference } from "../../../../core/kernel/object/kind.ts";
import type { Kind } from "../../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../../core/kernel/object/object-of.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { catalogApi } from "../../../support/api.ts";
import { claims } from "../../../support/books/claims.ts";
import { uses } from "../../../support/books/counters.ts";
import { Table } from "../../../support/books/table.ts";
import { oneOfEach } from "../../../support/one-of-each.ts";

/** Whatever changes an object changes the entries of its labels and of its uses with it. */

/** The kinds, of which each object also refers to the hub that its label names. */
function referringByLabel(): Kinds {
  const withLabel = (object: ObjectOf[Kind], others: Reference[]): Reference[] => {
    const id = object.metadata.labels.hub;
    const isThere = others.some((each) => each.kind === "hub" && each.id === id);
    return id === undefined || isThere ? others : [...others, { kind: "hub", id }];
  };
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, { references, ...definition }]) => [
      kind,
      // Which kind's objects these are is lost in the entries.
      {
        ...definition,
        references: (object: never) => withLabel(object, references?.(object) ?? []),
      },
    ]),
  );
}

it("the entries of labels and uses of each kind follow a change of its object", async () => {
  const api = await catalogApi();
  const ids = await oneOfEach(api);
  const deps = { ...api.deps, kinds: referringByLabel() };
  const wrong = () => {
    const table = new Table(api.deps.store, deps.kinds);
    const books = { table, kinds: deps.kinds, now: 0, wall: 0 };
    return [claims, uses()].flatMap((check) => check.wrong(books));
  };
  const label = async (labels: Record<string, string>) => {
    for (const [kind, id] of Object.entries(ids))
      await changeObject(deps, kind as Kind, id, (object) => ({
        ...object,
        metadata: { ...object.metadata, labels },
      }));
  };
  expect(Object.keys(ids).length).toBeGreaterThan(20);
  await label({ hub: "hub-1", tier: "gold" });
  expect(wrong()).toEqual([]);
  await label({ tier: "silver" });
  expect(wrong()).toEqual([]);
});
