import { expect, it } from "vitest";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { refreshObject } from "../../../core/reconcile/refresh.ts";
import { refreshAgents } from "../../../core/reconcile/refresh-agents.ts";
import { recordsIn } from "../../support/records.ts";
import { openSite } from "../../support/site.ts";

it("the agents of an order are read alone, in one call, however many clusters the hub has", async () => {
  const asked: string[] = [];
  const site = await openSite({
    outside: (request, send) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return send();
    },
  });
  const ids = [await site.order("c1"), await site.order("c2")];
  for (const id of ids) await site.settled(id);
  const cluster = await mustLoad(recordsIn(site.laptop.store), "cluster", ids[0] ?? "");
  asked.length = 0;
  await refreshAgents(site.laptop.deps, cluster);
  expect(asked).toEqual([
    "GET /apis/agent-install.openshift.io/v1beta1/namespaces/hardware-inventory/agents",
  ]);
});

const unasked = { query: () => Promise.reject(), count: () => Promise.reject() };

it("what a record says already is not read and written once more", async () => {
  const site = await openSite();
  const id = await site.order("c1");
  await site.settled(id);
  const { deps } = site.laptop;
  await refreshObject(deps, "cluster", id);
  const asked: string[] = [];
  const get: typeof deps.store.get = (key) => {
    asked.push(`get ${key.pk.split("#")[0]}`);
    return deps.store.get(key);
  };
  const getMany: typeof deps.store.getMany = (keys) => {
    asked.push(`get ${keys.length} of ${keys[0]?.pk.split("#")[0]}`);
    return deps.store.getMany(keys);
  };
  const transact: typeof deps.store.transact = (writes) => {
    asked.push("write");
    return deps.store.transact(writes);
  };
  const store = { get, getMany, transact };
  await refreshObject({ ...deps, store: Object.assign(store, unasked) }, "cluster", id);
  expect(asked).toEqual(["get cluster", "get 2 of host"]);
});
