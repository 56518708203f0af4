import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { minutes } from "../../core/clock.ts";
import { asOperationId } from "../../core/id.ts";
import { machineTokenKey, objectKey, tokenKey } from "../../core/kernel/object/keys.ts";
import { auditKey } from "../../core/kernel/object/log-keys.ts";
import { readingUses, type StoreUse } from "../../core/kernel/store/rights.ts";
import { openSqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { exists, type Store } from "../../core/kernel/store/store.ts";
import { mintToken } from "../../core/machine/tokens.ts";
import { secretUses } from "../../core/ports/secrets/rights.ts";
import { secretReference } from "../../core/ports/secrets/secrets.ts";
import { createApp } from "../../functions/api/app.ts";
import { halted } from "../../functions/halted.ts";
import { principalOf } from "../../functions/identity/principal.ts";
import { secretRights } from "../../functions/runtime/secret-rights.ts";
import {
  type StorePart,
  storeRights,
  writtenByEnds,
} from "../../functions/runtime/store-rights.ts";
import { sweep } from "../../functions/sweep.ts";
import { functionNames } from "../../infra/functions.ts";
import {
  depsOf,
  heldSecrets,
  heldStore,
  runningAs,
  type UsedPart,
  type UsedSecret,
  usedParts,
  usedSecrets,
} from "../../local/as-deployed.ts";
import { makeAuthority } from "../../sim/kubernetes/certificates.ts";
import { sagas } from "../../statemachines/index.ts";
import { pullSecret } from "../support/api.ts";
import { executionEvent } from "../support/aws-events/event-bridge.ts";
import { addServerWithDpus } from "../support/dpus.ts";
import { askForServer, orderServer, siteWithServers, withServers } from "../support/instances.ts";
import type { Stop } from "../support/laptop.ts";
import { addServer, bootFromNetwork, untilHost, withMetal } from "../support/managed-hosts.ts";
import { memorySecrets } from "../support/memory-secrets.ts";
import { addServerByMetal3 } from "../support/metal3-hosts.ts";
import { atRest, networkWithSubnet } from "../support/networks.ts";
import { withOverlay } from "../support/overlay.ts";
import { type Answer, openSite, type Site } from "../support/site.ts";

/** What each function does with secrets and with the table, found by running it. */

const accepted = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

/** Lives of everything that has secrets, from the first to the last. */
const lives: Record<string, (site: Site) => Promise<void>> = {
  async "clusters with pull secrets of their own, of the tenant and of the provider"(site) {
    const { certificate, key } = await makeAuthority("the site's", site.laptop.clock.now());
    const spec = { certificates: { authority: certificate }, secrets: { certificates: key } };
    accepted(await site.admin("PATCH", "sites/site-1", { spec }));
    const data = {
      ".dockerconfigjson": Buffer.from(pullSecret("of the tenant")).toString("base64"),
    };
    const secret = accepted(await site.api("POST", "secrets", { metadata: { name: "s" }, data }));
    for (const from of [
      { pull_secret: pullSecret("own") },
      { pull_secret_secret: { name: "s" } },
      {},
    ]) {
      const id = await site.order("c1", from);
      expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
      if (from.pull_secret !== undefined)
        accepted(
          await site.api("PATCH", `clusters/${id}`, { spec: { pull_secret: pullSecret("new") } }),
        );
      await site.settled(id);
      accepted(await site.api("DELETE", `clusters/${id}`));
      await site.settled(id);
    }
    const other = { data: { ...data, more: "AAAA" } };
    accepted(await site.api("PATCH", `secrets/${secret.id}`, other));
    accepted(await site.api("DELETE", `secrets/${secret.id}`));
  },

  async "servers of tenants"(site) {
    const { hosts } = await siteWithServers(site, 1);
    const [host = ""] = hosts;
    const id = await orderServer(site, "db-1", { user_data: "#cloud-config\n{}\n" });
    const { status } = await atRest(site, "baremetal_instances", id);
    expect(status.state, JSON.stringify(status)).toBe("BARE_METAL_INSTANCE_STATE_RUNNING");
    // One that waits until there is a host, and is taken back.
    const { body: waits } = await askForServer(site, "db-0", {});
    await site.laptop.pass(minutes(1));
    accepted(await site.api("DELETE", `baremetal_instances/${waits.id}`));
    await atRest(site, "baremetal_instances", waits.id);
    accepted(await site.api("DELETE", `baremetal_instances/${id}`));
    await atRest(site, "baremetal_instances", id);
    await untilHost(site, host, "AVAILABLE");
    // Two orders of one name at once: what came with the one that is refused goes.
    const asked = { user_data: "#cloud-config\n{}\n" };
    const both = await Promise.all(["db-2", "db-2"].map((name) => askForServer(site, name, asked)));
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409]);
  },

  async "hosts that boot from the network, that Metal3 has, and that go"(site) {
    await withMetal(site);
    await bootFromNetwork(site);
    const id = await addServer(site, 1);
    await untilHost(site, id, "AVAILABLE");
    // One that does not come up is started again, with the image that the hub has by then.
    site.world.faults.add({ target: "bmc:server-3", operation: "boot", fault: "error" });
    await untilHost(site, await addServer(site, 3), "AVAILABLE");
    const operation = asOperationId("an-operation-that-was-cut-off");
    const machine = { kind: "host", id } as const;
    const use = { machine, serves: machine, operation, site: "site-1" };
    await mintToken(site.laptop.deps, use, { guard: async () => {}, fence: () => [] });
    accepted(await site.admin("DELETE", `hosts/${id}`));
    await untilHost(site, await addServerByMetal3(site, 2), "AVAILABLE");
  },

  async "servers with DPUs, and tenants' networks"(site) {
    await withServers(site);
    await withOverlay(site);
    await networkWithSubnet(site);
    const { host, dpus } = await addServerWithDpus(site, 1);
    await untilHost(site, host, "AVAILABLE");
    const id = await orderServer(site, "db-1");
    await atRest(site, "baremetal_instances", id);
    await site.laptop.pass(minutes(30));
    accepted(await site.api("DELETE", `baremetal_instances/${id}`));
    await atRest(site, "baremetal_instances", id);
    await untilHost(site, host, "AVAILABLE");
    for (const dpu of dpus) accepted(await site.admin("DELETE", `dpus/${dpu}`));
  },

  async "what AWS calls, and a laptop does not as such"({ laptop, order, cluster }) {
    const { deps } = laptop;
    const tells = sweep(
      depsOf("sweep", deps),
      async () => {},
      () => {},
    );
    for (const what of ["hubs", "parts", "orphans", "metrics"]) await tells({ sweep: what });
    const id = await order("c1");
    await laptop.until(async () => (await cluster(id)).status.operation !== undefined, "it begins");
    const { operation } = (await cluster(id)).status;
    await halted(depsOf("halted", deps), sagas)(executionEvent(operation, "ABORTED"));
    const limits = { watchLimits: { everybody: 1, tenant: 1, user: 1 } };
    const claims = { sub: "alice", organization: ["tenant-a"], roles: ["tenant-admin"] };
    const watch = createApp(
      { ...depsOf("watch", deps), ...limits },
      { profile: "slipway", principal: () => principalOf(claims) },
    );
    const answer = watch.request("/api/events/v1/events");
    await laptop.pass(minutes(1));
    expect((await answer).status).toBe(200);
  },

  async "what is registered, and goes"(site) {
    const metadata = { name: "w" };
    const spec = { url: "https://receiver.example.com/events" };
    const hook = accepted(await site.api("POST", "webhooks", { metadata, spec }));
    accepted(await site.api("POST", `webhooks/${hook.id}/rotate_secret`));
    await site.laptop.pass(minutes(1));
    accepted(await site.api("DELETE", `webhooks/${hook.id}`));
    const oidc = { issuer: "https://login.example.com", client_id: "c", client_secret: "s" };
    const login = { metadata, spec: { title: "Login", oidc } };
    const { id } = accepted(await site.api("POST", "identity_providers", login));
    accepted(await site.api("DELETE", `identity_providers/${id}`));
    const hub = accepted(await site.admin("GET", "hubs")).items.find(
      ({ id }: { id: string }) => id === "hub-b",
    );
    const { kubeconfig } = site.world.hub("hub-b");
    accepted(await site.admin("PATCH", `hubs/${hub.id}`, { spec: { kubeconfig } }));
    for (const { id } of accepted(await site.admin("GET", "hosts?limit=1000")).items)
      accepted(await site.admin("DELETE", `hosts/${id}`));
    accepted(await site.admin("DELETE", `hubs/${hub.id}`));
  },
};

/** What each function was seen to do while everything lived. */
const secretsUsed = new Set<string>();
const itemsUsed = new Set<string>();
beforeAll(async () => {
  const noteSecret = (message: unknown) => {
    const { by, use, family } = message as UsedSecret;
    secretsUsed.add(`${by} ${use} ${family}`);
  };
  const noteItems = (message: unknown) => {
    const used = message as UsedPart;
    itemsUsed.add(
      "index" in used ? `${used.by} index ${used.index}` : `${used.by} ${used.use} ${used.part}`,
    );
  };
  usedSecrets.subscribe(noteSecret);
  usedParts.subscribe(noteItems);
  for (const live of Object.values(lives)) {
    const site = await openSite({
      webhooks: { refusal: async () => undefined, post: async () => ({ status: 200, text: "" }) },
      // Ended here: the hook of a suite is no test.
      atEnd: (stop) => void stops.unshift(stop),
    });
    await live(site);
  }
  usedSecrets.unsubscribe(noteSecret);
  usedParts.unsubscribe(noteItems);
}, 600_000);
const stops: Stop[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

it("each function does with secrets what it says, and says nothing that it does not do", () => {
  const declared = Object.entries(secretRights).flatMap(([by, rights]) =>
    secretUses.flatMap((use) => rights[use].map((family) => `${by} ${use} ${family}`)),
  );
  expect([...secretsUsed].sort()).toEqual(declared.sort());
});

/** Rights that these lives do not come to use, and the code that does. */
const seldom: Record<string, string> = {
  "api: write timers": "core/resources/host/take-health.ts",
  "observe: write capacity": "core/resources/host/observer.ts",
  "relay: write numbers": "core/ports/ipam/own/forget-numbers.ts",
  "relay: write pools": "core/resources/network-class/low.ts",
  "relay: write requests": "core/resources/tenant/order-networking.ts",
  "relay: write sweeps": "core/ports/forget-orphans.ts",
  "relay: write tenants": "core/kernel/request/tenant.ts",
  "site-controller: clusters": "core/resources/dpu/machines.ts",
  "due: write due-left": "core/reconcile/sweep.ts",
  "due: write log": "core/kernel/events/publish.ts",
  "core-worker: write sites": "core/at-site/claim.ts",
  "hub-worker: write numbers": "statemachines/steps/site/site.ts",
  "hub-worker: write sites": "core/at-site/claim.ts",
  "hub-worker: write worker-slots": "core/kernel/saga/slots.ts",
  "site-worker: write capacity": "core/reconcile/import-host.ts",
  "site-worker: write hubs": "core/reconcile/import-host.ts",
  "site-worker: write sites": "core/reconcile/note-drift.ts",
  "site-worker: write worker-slots": "core/kernel/saga/slots.ts",
};

it("what does seldom what its function says is there", () => {
  for (const path of Object.values(seldom))
    expect(existsSync(resolve(import.meta.dirname, "../..", path)), path).toBe(true);
});

it.each(functionNames)("%s says of no part of the table what it does not do", (by) => {
  const { read, reading, ends, write, writing, check = [] } = storeRights[by];
  const did = (uses: readonly StoreUse[], part: StorePart) =>
    uses.some((use) => itemsUsed.has(`${by} ${use} ${part}`));
  const everDid = (use: StoreUse) =>
    [...itemsUsed].some((used) => used.startsWith(`${by} ${use} `));
  const unused = [
    ...(read === "everything" ? [] : read.filter((part) => !did(readingUses, part))),
    // Who ends operations does all of it, for one kind of target or another.
    ...(ends ? [] : [...reading, ...writing].filter((use) => !everDid(use))),
    ...(ends && !did(changes, "operations") ? ["ends"] : []),
    ...write.filter((part) => !did(changes, part)).map((part) => `write ${part}`),
    ...check.filter((part) => !did(["check"], part)).map((part) => `check ${part}`),
  ].map((right) => `${by}: ${right}`);
  expect(unused.filter((right) => !(right in seldom))).toEqual([]);
});
const changes = ["put", "update", "delete"] as const;

it("the end of an operation writes all that its part of the rights says", () => {
  const ending = functionNames.filter((by) => storeRights[by].ends);
  const isWritten = (part: StorePart) =>
    ending.some((by) => changes.some((use) => itemsUsed.has(`${by} ${use} ${part}`)));
  expect(writtenByEnds.filter((part) => !isWritten(part))).toEqual([]);
});

it("a function is refused what it has not said, before the store is asked", async () => {
  const asked: string[] = [];
  const secrets = heldSecrets({
    ...memorySecrets(),
    get: async (reference) => void asked.push(reference) as undefined,
  });
  const read = (reference: string) => runningAs("site-controller", () => secrets.get(reference));
  await read(secretReference.discoveryImage("h-1"));
  for (const reference of [
    `${secretReference.bmcCredentials("h-1")}/1`,
    secretReference.machineToken("host", "h-1", "1"),
    `${secretReference.discoveryImage("h-1")}/../bmc`,
    "h-1",
  ])
    await expect(read(reference)).rejects.toMatchObject({ kind: "Internal" });
  expect(asked).toEqual([secretReference.discoveryImage("h-1")]);
});

it("a function is refused items that it has not said, before the store is asked", async () => {
  const asked: unknown[] = [];
  const store = openSqliteStore(":memory:");
  onTestFinished(() => store.close());
  const spied: Store = {
    get: async (key) => void asked.push(key) as undefined,
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    count: (query) => store.count(query),
    transact: async (writes) => void asked.push(...writes),
  };
  const held = heldStore(spied);
  const as = <T>(work: () => T) => runningAs("site-controller", work);
  const host = { put: { ...objectKey("host", "h-1") } };
  await as(() => held.transact([host]));
  await as(() => held.get(objectKey("dpu", "d-1")));
  expect(asked.splice(0)).toEqual([host, objectKey("dpu", "d-1")]);
  const refused: (() => Promise<unknown>)[] = [
    // Orders, roles, audits, tokens of tasks and of machines; and of its own what it never does.
    () => held.transact([host, { put: { ...objectKey("operation", "o-1") } }]),
    () => held.transact([{ put: { ...objectKey("cluster", "c-1") } }]),
    () => held.transact([{ put: { ...objectKey("role_binding", "r-1") } }]),
    () => held.transact([{ put: { ...auditKey("tenant-a", 0, 1) } }]),
    () => held.transact([{ update: objectKey("host", "h-1"), set: { revision: 2 } }]),
    () => held.transact([{ delete: machineTokenKey("hash") }]),
    () => held.transact([{ check: objectKey("cluster", "c-1"), if: exists }]),
    () => held.transact([{ put: { pk: "hosted#h-1", sk: "-" } }]),
    () => held.get(tokenKey("t-1")),
    () => held.getMany([objectKey("host", "h-1")]),
    () => held.query({ pk: "host#h-1" }),
    () => held.query({ pk: "host", index: "g4" }),
    () => held.count({ pk: "host", index: "g4" }),
  ];
  for (const use of refused) await expect(as(use)).rejects.toMatchObject({ kind: "Internal" });
  expect(asked).toEqual([]);
  // What is no function may do everything.
  await held.transact([{ put: { ...objectKey("cluster", "c-1") } }]);
  expect(asked).toHaveLength(1);
});
