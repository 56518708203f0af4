import { expect, it } from "vitest";
import { seconds } from "../../core/clock.ts";
import { withFaults } from "../../local/faults.ts";
import { wrongInBooks } from "../support/books.ts";
import { openSite, type Site } from "../support/site.ts";

/** API servers of hubs that restart, and for a moment forbid what they will allow. */

interface Restarting {
  site: Site;
  /** From here on each step of an operation, and each undo, begins with a restart of the hubs. */
  begin(): void;
  /** The refusals that the hubs gave. */
  refusals: Set<number>;
}

async function restartingSite(): Promise<Restarting> {
  const met = new Set<string>();
  const refusals = new Set<number>();
  let site: Site | undefined;
  let begun = false;
  let faults: ReturnType<typeof withFaults> | undefined;
  site = await openSite({
    world: { startUp: seconds(9) },
    invoke: (step, work) => {
      if (!site) return work();
      if (begun && !met.has(step)) {
        met.add(step);
        for (const hub of site.world.hubs()) hub.restart();
      }
      faults ??= withFaults(site.world.faults, site.laptop.clock);
      return faults(step, work);
    },
    outside: async (_, send) => {
      const response = await send();
      if ([403, 429, 503].includes(response.status)) refusals.add(response.status);
      return response;
    },
  });
  const begin = () => {
    met.clear();
    refusals.clear();
    begun = true;
  };
  return { site, begin, refusals };
}

it("a create that meets a restart in each of its steps becomes READY", async () => {
  const { site, begin, refusals } = await restartingSite();
  begin();
  const id = await site.order("c1");
  expect((await site.settled(id)).status).toMatchObject({ state: "OPERATION_STATE_SUCCEEDED" });
  expect([...refusals].sort()).toEqual([403, 429, 503]);
  expect((await site.cluster(id)).status.state).toBe("CLUSTER_STATE_READY");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a deletion that meets a restart in each of its steps leaves nothing behind", async () => {
  const { site, begin, refusals } = await restartingSite();
  const id = await site.order("c1");
  await site.settled(id);
  begin();
  await site.api("DELETE", `clusters/${id}`);
  expect((await site.settled(id)).status).toMatchObject({ state: "OPERATION_STATE_SUCCEEDED" });
  expect(refusals).toContain(403);
  expect(site.owned()).toEqual([]);
});

it("an order that fails meets a restart in each undo, and gives everything back", async () => {
  const { site, begin, refusals } = await restartingSite();
  site.world.faults.add({ target: "worker", operation: "JoinNodes", fault: "error" });
  begin();
  const id = await site.order("c1");
  expect((await site.settled(id)).status).toMatchObject({
    state: "OPERATION_STATE_FAILED",
    failure: { step: "JoinNodes", message: "a fault was injected" },
  });
  expect(refusals).toContain(403);
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a right that was forgotten stops who needs it, says so, and nobody else", {
  tags: "smoke",
}, async () => {
  const right =
    'User "system:serviceaccount:slipway:slipway" cannot delete resource "managedclusters" in API group "cluster.open-cluster-management.io" at the cluster scope';
  let isGranted = false;
  const site = await openSite({
    outside: (request, send) => {
      const asks = request.method === "DELETE" && request.url.includes("/managedclusters/");
      if (!asks || isGranted) return send();
      const name = request.url.split("/").at(-1);
      const message = `managedclusters.cluster.open-cluster-management.io "${name}" is forbidden: ${right}`;
      const status = { kind: "Status", status: "Failure", reason: "Forbidden", message, code: 403 };
      return Promise.resolve(Response.json(status, { status: 403 }));
    },
  });
  const [going, staying] = [await site.order("c1"), await site.order("c2")];
  for (const id of [going, staying]) await site.settled(id);
  await site.api("DELETE", `clusters/${going}`);
  await site.laptop.pass(5 * 60_000);
  const { body } = await site.api("GET", "operations");
  expect(body.items.at(-1).status).toMatchObject({
    state: "OPERATION_STATE_RUNNING",
    waiting_for: `the hub does not grant a right: ${right}`,
  });
  await site.api("PATCH", `clusters/${staying}`, { spec: { node_sets: { workers: { size: 3 } } } });
  expect((await site.settled(staying)).status.state).toBe("OPERATION_STATE_SUCCEEDED");

  isGranted = true;
  expect((await site.settled(going)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(site.owned().filter((thing) => thing.startsWith("HostedCluster "))).toHaveLength(1);
});
