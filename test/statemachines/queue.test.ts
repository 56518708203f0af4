import { expect, it } from "vitest";
import { ticketPartition } from "../../core/kernel/object/keys.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { everyItem } from "../../core/kernel/store/pages.ts";
import { recordsIn } from "../support/records.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** Orders that wait for capacity, through the API, the sagas and the simulated hubs: 6 fc430 a hub. */

const minute = 60_000;
const inEurope = { region: "eu-west" };

const order = (site: Site, name: string, size: number, placement: object = inEurope) =>
  site.order(name, { node_sets: { workers: { size } }, placement });

async function operationOn(site: Site, id: string): Promise<Wire> {
  const { body } = await site.api("GET", "operations");
  return body.items.findLast((item: Wire) => item.spec.target.id === id);
}

async function reservation(site: Site, id: string): Promise<string> {
  const { status } = await operationOn(site, id);
  return status.steps.find(({ name }: Wire) => name === "ReserveCapacity")?.state ?? "";
}

const waits = (site: Site, id: string): Promise<void> =>
  site.laptop.until(async () => (await reservation(site, id)) === "WAITING", `${id} waits`);

/** Sooner than an order that waits looks again by itself. */
async function goesOn(site: Site, id: string): Promise<void> {
  for (let waited = 0; waited < 2 * minute; waited += 5000) {
    if ((await reservation(site, id)) === "SUCCEEDED") return;
    await site.laptop.pass(5000);
  }
  throw new Error(`it still waits: ${(await operationOn(site, id)).status.waiting_for}`);
}

async function tickets(site: Site): Promise<number> {
  const classes = ["hub", "slot", "host:fc430", "host:h100"].map(ticketPartition);
  const queues = classes.map((pk) => everyItem(site.laptop.store, { pk }));
  return (await Promise.all(queues)).flat().length;
}

/** One more fc430 in Europe, registered and discovered. */
async function addHost(site: Site, number: number): Promise<void> {
  const name = `fc430-a-${number}`;
  const port = `Ethernet1/${number}`;
  const spec = {
    host_type: "fc430",
    hub: "hub-a",
    bmc: { address: `redfish-virtualmedia://192.168.1.${number}/redfish/v1/Systems/1` },
    nics: [{ name: "eno1", mac: `52:54:00:aa:bb:${number}`, switch: "leaf-a1", port }],
  };
  const added = await site.admin("POST", "hosts", { metadata: { name }, spec });
  expect(added.status).toBe(200);
  site.world.addHost({ name, ...spec, discovered: true });
}

/** An order of all six hosts in Europe, which waits since another one has one of them. */
async function orderOfAll(site: Site): Promise<string> {
  await goesOn(site, await order(site, "one", 1));
  const id = await order(site, "all", 6);
  await waits(site, id);
  return id;
}

/** An order that has got hosts in Europe, so that a large one must wait, and a small one behind it. */
async function line(site: Site): Promise<{ first: string; large: string; small: string }> {
  const first = await order(site, "first", 3);
  await goesOn(site, first);
  const large = await order(site, "large", 6);
  await waits(site, large);
  const small = await order(site, "small", 2);
  await waits(site, small);
  return { first, large, small };
}

it("an order for another region passes those who wait", { tags: "smoke" }, async () => {
  const site = await openSite();
  const { small } = await line(site);
  const other = await order(site, "other", 2, { region: "us-east" });
  await goesOn(site, other);
  expect(await reservation(site, small)).toBe("WAITING");
  const { status } = await operationOn(site, small);
  expect(status.queue_position).toBe(2);
  expect(status.waiting_for).toBe(
    "2 hosts of type fc430 (position 2 in the queue; one hub: is in region us-east; one hub: earlier orders wait there for hosts of type fc430)",
  );
  expect((await operationOn(site, other)).status.queue_position).toBeUndefined();
});

it("one that is cancelled while it waits leaves the line to the next", async () => {
  const site = await openSite();
  const { large, small } = await line(site);
  const { id } = await operationOn(site, large);
  await site.api("POST", `operations/${id}/cancel`);
  await goesOn(site, small);
  expect((await operationOn(site, large)).status.state).toBe("OPERATION_STATE_CANCELLED");
  expect(await tickets(site)).toBe(0);
});

it("one that is deleted while it waits leaves the line to the next", async () => {
  const site = await openSite();
  const { large, small } = await line(site);
  await site.api("DELETE", `clusters/${large}`);
  await goesOn(site, small);
  expect((await site.api("GET", `clusters/${large}`)).status).toBe(404);
  expect(await tickets(site)).toBe(0);
});

it("one that waits for 24 hours fails, says for what, and leaves the line to the next", async () => {
  const site = await openSite();
  const first = await order(site, "first", 3);
  await goesOn(site, first);
  const large = await order(site, "large", 6);
  await site.laptop.pass(23 * 60 * minute);
  const small = await order(site, "small", 2);
  expect((await operationOn(site, large)).status.state).toBe("OPERATION_STATE_RUNNING");
  const ended = await site.settled(large);
  expect(ended.status).toMatchObject({
    state: "OPERATION_STATE_FAILED",
    failure: { step: "ReserveCapacity", kind: "DeadlineExceeded" },
  });
  expect(ended.status.failure.message).toContain("3 of 6 fc430 hosts free");
  await goesOn(site, small);
  expect(await tickets(site)).toBe(0);
  expect(site.laptop.clock.now()).toBeLessThan(Date.UTC(2026, 0, 2, 0, 30));
});

it("a hub that is uncordoned serves who waits for hosts elsewhere", async () => {
  const site = await openSite();
  const cordon = (cordoned: boolean) => site.admin("PATCH", "hubs/hub-b", { spec: { cordoned } });
  expect((await cordon(true)).status).toBe(200);
  const first = await order(site, "first", 6);
  await goesOn(site, first);
  const second = await order(site, "second", 2, {});
  await waits(site, second);
  expect((await cordon(false)).status).toBe(200);
  await goesOn(site, second);
});

it("a hub that gets more capacity serves who waits", async () => {
  const site = await openSite();
  await site.admin("PATCH", "hubs/hub-a", { spec: { capacity: 0 } });
  const id = await order(site, "c1", 2);
  await waits(site, id);
  expect((await operationOn(site, id)).status.waiting_for).toContain("a control-plane slot");
  await site.admin("PATCH", "hubs/hub-a", { spec: { capacity: 1 } });
  await goesOn(site, id);
});

it("a host that is added and discovered serves who waits", async () => {
  const site = await openSite();
  const id = await orderOfAll(site);
  await addHost(site, 99);
  await goesOn(site, id);
});

it("an order that no hub can serve delays no other tenant, and is served once hosts are added", async () => {
  const site = await openSite();
  const id = await orderOfAll(site);
  // Nobody could order as many by now.
  const { body } = await site.admin("GET", "hosts");
  const free = body.items.find(
    ({ spec, status }: Wire) =>
      spec.hub === "hub-a" && spec.host_type === "fc430" && status.state === "HOST_STATE_AVAILABLE",
  );
  expect((await site.admin("DELETE", `hosts/${free.id}`)).status).toBe(200);
  const status = async (): Promise<Wire> => (await operationOn(site, id)).status;
  await site.laptop.until(
    async () =>
      (await status()).waiting_for.includes(
        "no hub that it may use has more than 5 hosts of type fc430",
      ),
    "it to say that no hub has so many",
  );
  expect((await status()).queue_position).toBeUndefined();
  const other = await site.neighbour("POST", "clusters", {
    metadata: { name: "other" },
    spec: {
      template: { id: "ocp_4_17_small" },
      node_sets: { workers: { size: 2 } },
      placement: inEurope,
    },
  });
  expect(other.status).toBe(200);
  await site.laptop.pass(minute);
  expect(
    (await mustLoad(recordsIn(site.laptop.store), "cluster", other.body.id)).placement,
  ).toBeDefined();
  expect(await reservation(site, id)).toBe("WAITING");
  for (const number of [96, 97, 98, 99]) await addHost(site, number);
  await goesOn(site, id);
});

it("a host that becomes one of the type serves who waits", async () => {
  const site = await openSite();
  const id = await orderOfAll(site);
  const { body } = await site.admin("GET", "hosts");
  const gpu = body.items.find(
    ({ spec }: Wire) => spec.hub === "hub-a" && spec.host_type === "h100",
  );
  const changed = await site.admin("PATCH", `hosts/${gpu.id}`, { spec: { host_type: "fc430" } });
  expect(changed.status).toBe(200);
  await goesOn(site, id);
});

it("ten orders for hosts of four are served in turn, as each is deleted", async () => {
  const site = await openSite();
  const ids: string[] = [];
  for (let n = 0; n < 10; n++) {
    ids.push(await order(site, `c${n}`, 3, {}));
    await site.laptop.pass(1000);
  }
  for (const id of ids.slice(0, 4)) await goesOn(site, id);
  for (const [n, id] of ids.entries()) {
    await goesOn(site, id);
    for (const later of ids.slice(n + 4)) expect(await reservation(site, later)).toBe("WAITING");
    await site.settled(id);
    await site.api("DELETE", `clusters/${id}`);
    await site.settled(id);
  }
  expect(site.owned()).toEqual([]);
  expect(await tickets(site)).toBe(0);
});
