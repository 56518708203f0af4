import { expect, it } from "vitest";
import { fill, pageSize, tokenOf } from "../../bench/api/pages.ts";
import { openWorld } from "../../bench/api/world.ts";
import { v1 } from "../support/api.ts";
import type { Calls } from "../support/counting-store.ts";

it("a list's first page, a deep one and any between cost the same reads of the store", async () => {
  const world = await openWorld();
  await fill(world, 20 * pageSize + 1);
  const costs: Calls[] = [];
  const seen = new Set<string>();
  let token: string | undefined;
  do {
    // The bench goes to a deep page by the token that a walk would have got there.
    if (token !== undefined) expect(token).toBe(await tokenOf(world, costs.length + 1));
    const before = { ...world.calls };
    const from = token === undefined ? "" : `&page_token=${token}`;
    const page = JSON.parse(await world.ask(`${v1}/clusters?limit=${pageSize}${from}`));
    costs.push({
      ...world.calls,
      get: world.calls.get - before.get,
      getMany: world.calls.getMany - before.getMany,
      query: world.calls.query - before.query,
      read: world.calls.read - before.read,
    });
    for (const { id } of page.items) seen.add(id);
    expect(page.total).toBe(20 * pageSize + 1);
    token = page.next_page_token;
  } while (token !== undefined);

  expect(seen.size).toBe(20 * pageSize + 1);
  const rest = costs.pop();
  expect(costs).toHaveLength(20);
  expect(new Set(costs.map((cost) => JSON.stringify(cost))).size).toBe(1);
  // The one that is left over, and nothing behind it to look for.
  expect(rest?.query).toBeLessThanOrEqual(costs[0]?.query ?? 0);
});
