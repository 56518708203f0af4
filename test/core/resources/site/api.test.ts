import { expect, it } from "vitest";
import { claimQueued } from "../../../../core/at-site/claim.ts";
import { numbersOf } from "../../../../core/at-site/pools.ts";
import type { Deps } from "../../../../core/kernel/deps.ts";
import type { JsonObject } from "../../../../core/kernel/input/shape.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { createObject, updateObject } from "../../../../core/kernel/request/crud.ts";
import type { Store } from "../../../../core/kernel/store/store.ts";
import { sites } from "../../../../core/resources/site/api.ts";
import { attemptAt } from "../../../support/attempt.ts";
import { testDeps } from "../../../support/deps.ts";
import { holderOf } from "../../../support/holders.ts";
import { interrupted } from "../../../support/interrupted-store.ts";
import { addOrder } from "../../../support/placement.ts";
import { wanted } from "../../../support/wanted.ts";

/** A pool gets another definition while the first order claims of it: one of the two is refused. */

const root = { user: "root", tenant: "", everywhere: true };

async function oneOrder() {
  const deps = testDeps();
  await createObject(deps, root, sites, {
    id: "site-1",
    metadata: { name: "site-1" },
    spec: {
      fabric: {
        provider: "neutron",
        auth_url: "https://keystone.example.com/v3",
        credential_id: "abc",
        physical_network: "physnet1",
        external_network: "public",
      },
      network: {
        vlans: { first: 100, last: 199 },
        prefixes: { cidr: "10.64.0.0/16", length: 24 },
        floating_ips: { first: "203.0.113.10", last: "203.0.113.20" },
        dns_servers: [],
      },
      secrets: { fabric: "secret" },
    },
  });
  const order = await addOrder(deps, "one", { small: 1 });
  const claim = async (store: Store = deps.store) => {
    const site = await mustLoad(deps, "site", "site-1");
    const numbers = numbersOf(deps, site);
    if (!numbers) throw new Error("the site has no network");
    const { fence, operation } = await attemptAt(deps, order.operation, "Claim");
    const holder = holderOf("cluster", order.cluster);
    const turn = { site, numbers, use: "vlans" as const, holder, count: 1, operation };
    const raced: Deps = { ...deps, store };
    const ofRaced = numbersOf(raced, site) ?? numbers;
    return claimQueued(raced, { ...turn, numbers: ofRaced, step: "Claim", fence: fence() });
  };
  const move = (first: number, store: Store = deps.store) => {
    const merge = (current: JsonObject) => {
      const spec = Object(current.spec);
      const network = { ...spec.network, vlans: { first, last: first + 99 } };
      return { ...current, spec: { ...spec, network } };
    };
    return updateObject({ ...deps, store }, root, sites, "site-1", wanted(merge));
  };
  return { deps, claim, move };
}

it.each([
  ["for the first time", []],
  ["once more", [200]],
])("a claim of a pool that is moved meanwhile %s is tried again", async (_, before) => {
  const { deps, claim, move } = await oneOrder();
  for (const first of before) await move(first);
  const store = interrupted(deps.store, () => move(300));
  await expect(claim(store)).rejects.toMatchObject({ kind: "Unavailable" });
  expect(await claim()).toEqual([300]);
});

it("a pool that is claimed of while it is moved stays", async () => {
  const { deps, claim, move } = await oneOrder();
  const store = interrupted(deps.store, async () => expect(await claim()).toEqual([100]));
  await expect(move(300, store)).rejects.toMatchObject({
    kind: "Invalid",
    violations: [{ field: "spec.network.vlans" }],
  });
});
