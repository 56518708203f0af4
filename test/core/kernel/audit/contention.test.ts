import { expect, it } from "vitest";
import { sleep } from "../../../../core/clock.ts";
import { appendAudit, auditChains, auditHeads } from "../../../../core/kernel/audit/chain.ts";
import type { AuditAct } from "../../../../core/kernel/audit/entry.ts";
import type { Store } from "../../../../core/kernel/store/store.ts";
import { testDeps } from "../../../support/deps.ts";

/** What the chains cost writers that come at once, on a store as far away as DynamoDB is. */

const writers = 200;

async function atOnce(chains: number) {
  const deps = testDeps();
  const { clock, store } = deps;
  let tries = 0;
  const away: Store = {
    get: async (key) => {
      await sleep(clock, 3);
      return store.get(key);
    },
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    count: (query) => store.count(query),
    transact: async (writes) => {
      tries++;
      await sleep(clock, 5 + 10 * deps.random());
      return store.transact(writes);
    },
  };
  const act: Omit<AuditAct, "id" | "time" | "object_id"> = {
    tenant: "tenant-a",
    actor: { user: "ann", tenant: "tenant-a", roles: [] },
    source: "",
    request_id: "",
    kind: "cluster",
    verb: "create",
    result: "AUDIT_RESULT_ACCEPTED",
  };
  const start = clock.now();
  const done = Array.from({ length: writers }, (_, n) =>
    appendAudit({ ...deps, store: away }, { ...act, object_id: `c${n}` }, [], { chains }),
  );
  const outcomes = await clock.until(Promise.allSettled(done));
  const heads = await auditHeads(store, "tenant-a");
  return {
    ms: Math.round(clock.now() - start),
    tries: tries / writers,
    refused: outcomes.filter(({ status }) => status === "rejected").length,
    appended: heads.reduce((sum, { position }) => sum + position, 0),
  };
}

it("spreads 200 writers of a tenant over chains, so that none has to give up", async () => {
  const many = await atOnce(auditChains);
  expect(many).toMatchObject({ refused: 0, appended: writers });
  expect(many.tries).toBeLessThan(4);
  expect(many.ms).toBeLessThan(200);
  // Else the chains would be there for nothing.
  expect((await atOnce(1)).refused).toBeGreaterThan(50);
});
