import { expect, it } from "vitest";
import { sharedDev, until } from "../support/dev-process.ts";
import type { Wire } from "../support/site.ts";

/** The world grows while Slipway runs: hosts and hubs that are added, and registered. */

const slipway = sharedDev({ speed: 300 });

const machine = (name: string, hub: string, number: number) => ({
  name,
  hub,
  host_type: "fc430",
  bmc: { address: `redfish-virtualmedia://192.168.9.${number}/redfish/v1/Systems/1` },
  nics: [
    {
      name: "eno1",
      mac: `52:54:00:99:00:${10 + number}`,
      switch: "leaf-a1",
      port: `Ethernet9/${number}`,
    },
  ],
});

/** What is registered of a machine: a host of the inventory. */
const hostOf = ({ name, ...spec }: ReturnType<typeof machine>) => ({ metadata: { name }, spec });

async function untilAvailable(name: string): Promise<void> {
  await until(async () => {
    const { items } = (await slipway().admin("GET", "hosts?limit=100")).body;
    const host = items.find(({ metadata }: Wire) => metadata.name === name);
    return host?.status.state === "HOST_STATE_AVAILABLE";
  }, `host ${name} to be available`);
}

it("a machine that is powered on and registered becomes an available host", async () => {
  const { sim, admin } = slipway();
  const added = machine("newcomer", "hub-a", 1);
  expect((await sim("POST", "hosts", added)).status).toBe(201);
  expect((await admin("POST", "hosts", hostOf(added))).status).toBe(200);
  await untilAvailable("newcomer");
});

it("a host that is registered long after its agent reported becomes available", async () => {
  const { sim, admin, ledger } = slipway();
  const added = machine("latecomer", "hub-a", 2);
  const { body } = await sim("POST", "hosts", { ...added, discovered: true });
  await until(
    async () => (await ledger()).some(({ kind, id }) => kind === "Agent" && id.includes(body.id)),
    "its agent",
  );
  await admin("POST", "hosts", hostOf(added));
  await untilAvailable("latecomer");
});

it("a hub that is added and registered takes orders", async () => {
  const { sim, admin, order, succeeded, ledger, remove } = slipway();
  const { status, body: added } = await sim("POST", "hubs", { id: "hub-c", region: "ap-south" });
  expect(status).toBe(201);
  // The provider gives it an id of its own.
  const registered = await admin("POST", "hubs", {
    metadata: { name: "south" },
    spec: {
      kubeconfig: added.kubeconfig,
      region: "ap-south",
      capacity: 3,
      base_domain: "ap-south.example.com",
    },
  });
  expect(registered.status).toBe(200);
  const hub = registered.body.id;
  await until(async () => {
    const { body } = await admin("GET", `hubs/${hub}`);
    return body.status.state === "HUB_STATE_READY";
  }, "the hub to be ready");

  for (const number of [3, 4]) {
    const server = machine(`south-${number}`, "hub-c", number);
    await sim("POST", "hosts", { ...server, discovered: true });
    await admin("POST", "hosts", hostOf({ ...server, hub }));
    await untilAvailable(server.name);
  }
  const { id, operation } = await order("south", { placement: { region: "ap-south" } });
  await succeeded(operation);
  const systems = (await ledger()).flatMap(({ owner, system }) => (owner ? [system] : []));
  expect(new Set(systems)).toEqual(new Set(["hardware", "hub:hub-c"]));
  await remove(id);
});

it("refuses what the world cannot have, with every field named", async () => {
  const { sim } = slipway();
  const { status, body } = await sim("POST", "hosts", {
    ...machine("Bad_Name", "hub-a", 5),
    nics: [],
  });
  expect(status).toBe(400);
  expect(body.errors.map(({ field }: Wire) => field).toSorted()).toEqual(["name", "nics"]);
  expect((await sim("POST", "hosts", machine("lost", "hub-x", 6))).status).toBe(404);
  expect((await sim("POST", "hubs", { id: "hub-a", region: "eu" })).status).toBe(409);
});
