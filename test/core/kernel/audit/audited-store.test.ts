import { expect, it } from "vitest";
import { auditedStore } from "../../../../core/kernel/audit/audited-store.ts";
import type { Store } from "../../../../core/kernel/store/store.ts";
import { testDeps } from "../../../support/deps.ts";

it("makes an audited transaction with the options that it is given", async () => {
  const deps = testDeps();
  const given: unknown[] = [];
  const store: Store = {
    get: (key) => deps.store.get(key),
    getMany: (keys) => deps.store.getMany(keys),
    query: (query) => deps.store.query(query),
    count: (query) => deps.store.count(query),
    transact: (writes, options) => {
      given.push(options);
      return deps.store.transact(writes);
    },
  };
  const audited = auditedStore(
    { ...deps, store },
    {
      tenant: "tenant-a",
      object_id: "c1",
      actor: { user: "ann", tenant: "tenant-a", roles: [] },
      source: "",
      request_id: "",
      kind: "cluster",
      verb: "create",
    },
  );
  await audited.transact([{ put: { pk: "a", sk: "b" } }], { within: 7 });
  expect(given).toEqual([{ within: 7 }]);
});
