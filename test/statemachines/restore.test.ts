import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { ownerOf } from "../../core/at-site/owner.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { openSqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { secretReference } from "../../core/ports/secrets/secrets.ts";
import { wrongInBooks } from "../support/books.ts";
import { recordsIn } from "../support/records.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** The drill of docs/operations.md: a table is restored that is behind the world. */

const minute = 60_000;

const place = { placement: { region: "eu-west" } };

async function ready(site: Site, name: string): Promise<string> {
  const id = await site.order(name, place);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  return id;
}

/** Minutes at a time. */
async function pass({ laptop }: Site, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= minute) {
    await laptop.clock.advance(minute);
    await laptop.drained();
  }
}

/** The orphans of a hub or a site, as administrators see them. */
const orphans = async (site: Site, path: string): Promise<Wire[]> =>
  (await site.admin("GET", path)).body.status.orphans.items;

/** What of a cluster nobody else may have. */
async function taken(site: Site, id: string): Promise<unknown[]> {
  const { site: at, placement } = await mustLoad(recordsIn(site.laptop.store), "cluster", id);
  const { api, ingress } = at?.floating_ips ?? {};
  const hosts = Object.values(placement?.hosts ?? {}).flat();
  expect(hosts).toHaveLength(2);
  return [at?.vlan, at?.network?.prefix, api, ingress, ...hosts];
}

/** A cluster that is gone, as the copy knows, too, and what its deletion has left at the site. */
async function leftBehind(site: Site): Promise<string> {
  const { laptop } = site;
  const id = await ready(site, "former");
  const owner = ownerOf(await mustLoad(recordsIn(laptop.store), "cluster", id));
  await site.api("DELETE", `clusters/${id}`);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  const { storage } = await laptop.deps.sites.systems("site-1");
  await laptop.clock.until(storage?.ensure(owner) ?? Promise.reject(new Error("no storage")));
  return id;
}

it("a table that is behind the world is brought back without taking anything from anybody", {
  tags: "smoke",
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-restore-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [table, copy, workflows] = ["table.db", "copy.db", "workflows.db"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const before = await openSite({ store: openSqliteStore(table), workflows });
  const former = await leftBehind(before);
  const kept = await ready(before, "kept");
  const gone = await ready(before, "gone");
  copyTable(table, copy);
  const forgotten = await ready(before, "forgotten");
  await before.api("DELETE", `clusters/${gone}`);
  expect((await before.settled(gone)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  const lost = await taken(before, forgotten);
  await before.stop();
  const world = before.owned();

  // 1, 2: both switches are set before anything runs on the copy.
  await pauseByHand(copy);
  const site = await openSite({ store: openSqliteStore(copy), workflows, after: before });
  // 3: nothing is taken in, nothing may be taken away, wherever it is allowed.
  for (const path of ["hubs/hub-a", "hubs/hub-b", "sites/site-1"])
    expect((await site.admin("PATCH", path, { spec: { orphans: "remove" } })).status).toBe(200);
  expect((await site.api("POST", "clusters", { metadata: { name: "early" } })).status).toBe(503);
  expect((await site.api("DELETE", `clusters/${kept}`)).status).toBe(503);
  expect((await site.admin("GET", "removal")).body).toMatchObject({ paused: true });

  // 4: the sweeps read what is there.
  await pass(site, 90 * minute);
  expect(site.owned()).toEqual(world);
  const onHub = await orphans(site, "hubs/hub-a");
  const atSite = await orphans(site, "sites/site-1");
  expect(new Set([...onHub, ...atSite].map(({ cluster }) => cluster))).toEqual(
    new Set([forgotten, former]),
  );
  expect(onHub.map(({ kind }) => kind)).toContain("HostedCluster");
  // 5: what the forgotten cluster has is nobody else's.
  expect(atSite.flatMap(({ number }) => number ?? []).sort()).toEqual(
    lost.slice(0, 4).map(String).sort(),
  );
  const inUse = (await site.admin("GET", "hosts")).body.items.filter((host: Wire) =>
    lost.includes(host.id),
  );
  expect(inUse.map(({ status }: Wire) => status.state)).toEqual([
    "HOST_STATE_RECLAIMING",
    "HOST_STATE_RECLAIMING",
  ]);
  // 6: what the table believes in and is gone says so.
  expect(conditionOf(await site.cluster(gone), "CLUSTER_AVAILABLE")).toBe("CONDITION_STATUS_FALSE");
  expect(conditionOf(await site.cluster(kept), "CLUSTER_AVAILABLE")).toBe("CONDITION_STATUS_TRUE");

  // 7: thawed, orders go on beside it.
  expect((await site.admin("POST", "intake:resume", {})).body).toMatchObject({ paused: false });
  await site.api("DELETE", `clusters/${gone}`);
  expect((await site.settled(gone)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  const newcomer = await ready(site, "newcomer");
  const got = await taken(site, newcomer);
  expect(got.filter((each) => lost.includes(each))).toEqual([]);
  expect(site.owned()).toEqual(expect.arrayContaining(world));
});

/** Of these hubs and sites every credential is given again, as those who run them have it. */
async function registerAgain(site: Site, secrets: Map<string, string>): Promise<void> {
  const former = (name: string) =>
    [...secrets].find(([reference]) => reference.startsWith(name))?.[1] ?? "";
  for (const hub of ["hub-a", "hub-b"]) {
    const spec = { kubeconfig: former(`hub/${hub}/kubeconfig/`) };
    expect((await site.admin("PATCH", `hubs/${hub}`, { spec })).status).toBe(200);
  }
  const spec = { secrets: JSON.parse(former("site/site-1/credentials/")) };
  expect((await site.admin("PATCH", "sites/site-1", { spec })).status).toBe(200);
  site.secrets.set(secretReference.providerPullSecret, JSON.stringify({ auths: {} }));
}

it("another region goes on with a copy of the table, where nothing runs and every secret is given again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-region-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [table, copy] = ["table.db", "copy.db"].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  const before = await openSite({ store: openSqliteStore(table) });
  const kept = await ready(before, "kept");
  const begun = await before.order("begun", place);
  await pass(before, 2 * minute);
  copyTable(table, copy);
  await before.stop();
  const given = new Map(before.secrets);

  await pauseByHand(copy);
  const secrets = new Map<string, string>();
  const site = await openSite({ store: openSqliteStore(copy), after: before, secrets });
  await pass(site, 10 * minute);
  // Nothing is undone and nothing fails for that; who has to act is told.
  expect((await site.admin("GET", "hubs/hub-a")).body.status.message).toMatch(
    /credentials of hub hub-a are missing/,
  );
  expect((await site.cluster(begun)).status.state).toBe("CLUSTER_STATE_PROGRESSING");
  await registerAgain(site, given);
  for (const what of ["intake", "removal"])
    expect((await site.admin("POST", `${what}:resume`, {})).status).toBe(200);

  // What had begun has lost its execution with the region, and goes on where it was once it is asked for.
  expect((await site.settled(begun)).status).toMatchObject({
    state: "OPERATION_STATE_FAILED",
    failure: { given_back: false },
  });
  expect((await site.api("POST", `clusters/${begun}/retry`)).status).toBe(200);
  expect((await site.settled(begun)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  await ready(site, "newcomer");
  expect((await site.api("DELETE", `clusters/${kept}`)).status).toBe(200);
  expect((await site.settled(kept)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await wrongInBooks(site)).toEqual([]);
});

function copyTable(table: string, copy: string): void {
  const database = new DatabaseSync(table);
  database.exec(`VACUUM INTO '${copy}'`);
  database.close();
}

/** As docs/operations.md says it, item by item. */
async function pauseByHand(table: string): Promise<void> {
  const store = openSqliteStore(table);
  await store.transact([
    { put: { pk: "setting#removal", sk: "-", paused: true } },
    { put: { pk: "setting#intake", sk: "-", paused: true } },
  ]);
  store.close();
}

const conditionOf = ({ status }: Wire, name: string): string | undefined =>
  status.conditions.find(({ type }: Wire) => type === `CLUSTER_CONDITION_TYPE_${name}`)?.status;
