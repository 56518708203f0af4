import { expect, it } from "vitest";
import { changesBetween } from "../../../../core/kernel/events/changes.ts";
import { changedPaths } from "../../../../core/kernel/events/shown.ts";
import { isOfObject, objectIn } from "../../../../core/kernel/object/records.ts";
import type { StreamRecord } from "../../../../core/kernel/store/store.ts";
import { kinds, view } from "../../../../functions/api/registry.ts";
import { catalogApi, priv, v1 } from "../../../support/api.ts";
import { oneOfEach } from "../../../support/one-of-each.ts";
import { openSite } from "../../../support/site.ts";

/** What an event says has changed is what differs in the answers of the API, although a write renders none. */

/** The kinds whose objects have changed in these records, each compared both ways. */
function compared(records: StreamRecord[]): Set<string> {
  const seen = new Set<string>();
  for (const { before: old, after: young } of records) {
    if (!old || !young || !isOfObject(young) || !isOfObject(old)) continue;
    const [before, after] = [objectIn(kinds, old), objectIn(kinds, young)];
    const shown = { profile: "slipway", private: false } as const;
    const rendered = changesBetween(view(before, shown), view(after, shown));
    const told = changedPaths(kinds, before, after);
    expect(told.toSorted(), after.kind).toEqual(rendered.map(({ path }) => path).toSorted());
    if (told.length > 0) seen.add(after.kind);
  }
  return seen;
}

it("is the same for whatever the API changes", async () => {
  const api = await catalogApi();
  const ids = await oneOfEach(api);
  const everything = { labels: { a: "b" }, description: "another" };
  for (const [kind, id] of Object.entries(ids))
    for (const prefix of [v1, priv])
      await api.ask("admin", "PATCH", `${prefix}/${kind}s/${id}`, { metadata: everything });
  const changed = compared(api.deps.store.stream(undefined, 5000));
  expect([...changed].length).toBeGreaterThan(12);
});

it("is the same for an order, from its placement to its end", async () => {
  const site = await openSite();
  const records: StreamRecord[] = [];
  site.laptop.onRelayed((record) => records.push(record));
  const id = await site.order("c1");
  await site.settled(id);
  await site.api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size: 3 } } } });
  await site.settled(id);
  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  expect([...compared(records)].toSorted()).toEqual(
    expect.arrayContaining(["cluster", "host", "operation"]),
  );
  expect(records.length).toBeGreaterThan(100);
});
