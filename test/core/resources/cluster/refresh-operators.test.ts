import { expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { refreshOperators } from "../../../../core/resources/cluster/refresh-operators.ts";
import { testDeps } from "../../../support/deps.ts";
import { addHosts, addHub, addOrder, reserveFor } from "../../../support/placement.ts";

it("of two readings of the operators at once, the one that began later counts", async () => {
  const deps = testDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", ["s-00001"]);
  const order = await addOrder(deps, "one", { small: 1 });
  await reserveFor(deps, order);
  const at = timestamp(deps.clock.now() + 1);
  let readings = 0;
  const readOperators = async () => {
    readings += 1;
    if (readings > 1) return { at: "", total: 30, unavailable: [] };
    await deps.clock.advance(1);
    await refreshOperators(deps, order.cluster);
    await deps.clock.advance(1);
    return { at: "", total: 30, unavailable: ["console: starting"] };
  };
  deps.hubClients.set("hub", { clusters: { readOperators } });
  await refreshOperators(deps, order.cluster);
  expect(readings).toBe(2);
  const { observed } = await mustLoad(deps, "cluster", order.cluster);
  expect(observed.operators).toMatchObject({ unavailable: [], at });
});
