import { expect, it } from "vitest";
import type { Site } from "../../core/at-site/site.ts";
import { putNew } from "../../core/kernel/object/records.ts";
import { sweptFrom } from "../../core/ports/sweep-times.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { sweep } from "../../functions/sweep.ts";
import type { Sweep } from "../../functions/worker.ts";
import { testDeps } from "../support/deps.ts";
import { addHub, hubRecord } from "../support/placement.ts";

const untold = () => {};
const idOf = (call: Sweep) => ("hub" in call ? call.hub : call.site);

it("the sweep of hubs asks the worker for each, and reaches none itself", async () => {
  const deps = testDeps();
  for (const hub of ["one", "two", "three"]) await addHub(deps, hub);
  const asked: string[] = [];
  await sweep(deps, async (_, call) => void asked.push(idOf(call)), untold)({ sweep: "hubs" });
  expect(asked.sort()).toEqual(["one", "three", "two"]);
});

it("what hubs and sites have is looked at where they can be reached", async () => {
  const deps = testDeps();
  await addHub(deps, "one", { site: "site-1" });
  await addHub(deps, "two");
  const now = deps.clock.now();
  const { kind: _, ...like } = hubRecord("site-1", {}, now);
  const spec = { credentials: "site/site-1" };
  const site: Site = { ...like, kind: "site", spec, status: { low: [] } };
  const due = sweptFrom("orphans", { kind: "site", id: "site-1" }, now);
  await deps.store.transact([...putNew(kinds, site), due]);
  const asked: unknown[] = [];
  const run = sweep(deps, async (...call) => void asked.push(call), untold);
  await run({ sweep: "parts" });
  expect(asked.splice(0)).toEqual([["site", { hub: "one", sweep: "parts" }]]);
  await run({ sweep: "orphans" });
  expect(asked).toHaveLength(3);
  expect(asked).toEqual(
    expect.arrayContaining([
      ["hub", { hub: "one", sweep: "orphans" }],
      ["hub", { hub: "two", sweep: "orphans" }],
      ["site", { site: "site-1", sweep: "orphans" }],
    ]),
  );
});

it("a schedule that says something else is refused", async () => {
  const run = sweep(testDeps(), async () => {}, untold);
  for (const what of ["all", "due"]) await expect(run({ sweep: what })).rejects.toThrow();
});
