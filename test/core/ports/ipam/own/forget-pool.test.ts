import { expect, it } from "vitest";
import { minutes } from "../../../../../core/clock.ts";
import { asClusterId } from "../../../../../core/id.ts";
import { putNew } from "../../../../../core/kernel/object/records.ts";
import { openSqliteStore } from "../../../../../core/kernel/store/sqlite/sqlite.ts";
import { forgetPool } from "../../../../../core/ports/ipam/own/forget-pool.ts";
import { ownIpam } from "../../../../../core/ports/ipam/own/own.ts";
import { kinds } from "../../../../../core/resources/generated/kinds.ts";
import { clusterRecord } from "../../../../support/cluster-record.ts";
import { testDeps } from "../../../../support/deps.ts";
import { holderOf } from "../../../../support/holders.ts";

const pool = { name: "addresses#subnet-1", first: 20, size: 300, rest: minutes(5) };

it("leaves nothing of a pool whose numbers all rest, however often it is asked", async () => {
  const store = openSqliteStore(":memory:");
  const deps = { ...testDeps(), store };
  await forgetPool(store, pool.name);
  await store.transact(putNew(kinds, clusterRecord(deps.clock.now(), asClusterId("cluster-1"))));
  const holder = holderOf("cluster", "cluster-1");
  const ipam = ownIpam(deps);
  for (let n = 0; n < 5; n++) {
    await ipam.claim(pool, holder, { count: 40, fence: [] });
    await ipam.release(pool, holder);
  }
  expect(await ipam.usage(pool)).toEqual({ used: 0, resting: 200, size: 300 });
  await forgetPool(store, pool.name);
  await forgetPool(store, pool.name);
  expect(await ipam.survey(pool)).toEqual({ used: 0, resting: 0, size: 300, foreign: 0 });
});
