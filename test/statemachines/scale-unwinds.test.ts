import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import type { Outside } from "../support/outside.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** Changes of size that turn back: whatever stopped them, they end, and the cluster is as it was. */

const minute = 60_000;

async function readyCluster(site: Site): Promise<string> {
  const id = await site.order("c1");
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  return id;
}

const resize = (site: Site, id: string, size: number) =>
  site.api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size } } } });

async function newest(site: Site): Promise<Wire> {
  return (await site.api("GET", "operations")).body.items.at(-1);
}

const conditionOf = async (site: Site, id: string, type: string): Promise<Wire> =>
  (await site.cluster(id)).status.conditions.find((each: Wire) => each.type.endsWith(type));

/** READY with two nodes on its network, with nothing begun or half undone, here or outside. */
async function expectAsBefore(site: Site, id: string): Promise<void> {
  const { spec, status } = await site.cluster(id);
  expect(status.state).toBe("CLUSTER_STATE_READY");
  expect(spec.node_sets.workers.size).toBe(2);
  expect(status.node_sets.workers).toMatchObject({ size: 2, ready: 2 });
  expect((await conditionOf(site, id, "INFRASTRUCTURE_READY")).status).toBe(
    "CONDITION_STATUS_TRUE",
  );
  expect(site.owned().filter((thing) => /^port_binding /.test(thing))).toHaveLength(4);
  await site.laptop.pass(10 * minute);
  expect(await wrongInBooks(site)).toEqual([]);
}

/** Every switch port that is asked for is down, as long as `down` says so. */
const portsDown =
  (down: () => boolean): Outside =>
  async (request, send) => {
    const answer = await send();
    if (!down() || !/\/v2.0\/ports/.test(request.url) || !answer.ok || answer.status === 204)
      return answer;
    const text = (await answer.text()).replaceAll('"ACTIVE"', '"DOWN"');
    return new Response(text, { status: answer.status, headers: answer.headers });
  };

it("a scale-down whose switch ports are refused ends FAILED, and another one succeeds", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const id = await readyCluster(site);
  site.world.faults.add({ target: "fabric", fault: "error", status: 403 });
  await resize(site, id, 1);
  expect((await site.settled(id)).status).toMatchObject({
    state: "OPERATION_STATE_FAILED",
    failure: { step: "AttachHosts", kind: "Rejected" },
  });
  await expectAsBefore(site, id);
  await resize(site, id, 1);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
});

it("a scale-down whose switch ports stay down for too long ends FAILED, and what is down is told", async () => {
  let down = false;
  const site = await openSite({ outside: portsDown(() => down) });
  const id = await readyCluster(site);
  down = true;
  await resize(site, id, 1);
  expect((await site.settled(id)).status).toMatchObject({
    state: "OPERATION_STATE_FAILED",
    failure: { step: "AttachHosts", kind: "DeadlineExceeded" },
  });
  expect((await site.cluster(id)).status.state).toBe("CLUSTER_STATE_READY");
  expect(await conditionOf(site, id, "INFRASTRUCTURE_READY")).toMatchObject({
    status: "CONDITION_STATUS_FALSE",
    message: "switch ports: 4 of 4 switch ports are not bound",
  });
  down = false;
  await site.laptop.pass(31 * minute);
  await expectAsBefore(site, id);
});

it("a change that never began to attach ends whatever is known of the switch ports", async () => {
  let down = false;
  const site = await openSite({ outside: portsDown(() => down) });
  const id = await readyCluster(site);
  const { hub } = (await site.admin("GET", `clusters/${id}`)).body.status;
  const { region } = (await site.admin("GET", `hubs/${hub}`)).body.spec;
  const taken = { placement: { region }, node_sets: { workers: { size: 3 } } };
  const other = await site.order("taken", taken);
  await site.settled(other);
  down = true;
  await site.laptop.pass(31 * minute);
  expect((await conditionOf(site, id, "INFRASTRUCTURE_READY")).reason).toBe("SiteDrifted");
  await resize(site, id, 5);
  await site.laptop.until(async () => (await newest(site)).status.waiting_for !== undefined);
  await site.api("POST", `operations/${(await newest(site)).id}/cancel`);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_CANCELLED");
  down = false;
  await site.api("DELETE", `clusters/${other}`);
  await site.settled(other);
  await site.laptop.pass(31 * minute);
  await expectAsBefore(site, id);
});

it("a fabric that refuses the undo as well: a person's resume ends it once the fabric does not", async () => {
  const site = await openSite();
  const id = await readyCluster(site);
  site.world.faults.add({ target: "fabric", fault: "error", status: 403, count: 0 });
  await resize(site, id, 1);
  const stuck = await site.settled(id);
  expect(stuck.status).toMatchObject({
    state: "OPERATION_STATE_STUCK",
    failure: { step: "Undo AttachHosts" },
  });
  site.world.faults.clear();
  expect((await site.api("POST", `operations/${stuck.id}/resume`)).status).toBe(200);
  await site.laptop.pass(minute);
  expect((await site.settled(id)).status).toMatchObject({
    state: "OPERATION_STATE_FAILED",
    failure: { step: "AttachHosts" },
  });
  await expectAsBefore(site, id);
});
