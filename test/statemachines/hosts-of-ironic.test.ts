import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import { addNode, addNodeHost, askIronic, nodeName, withIronic } from "../support/ironic-hosts.ts";
import {
  expectNoAgent,
  hostOf,
  machineOf,
  metal,
  untilHost,
  withMetal,
} from "../support/managed-hosts.ts";
import { accepted } from "../support/matrix/cluster-worlds.ts";
import { openSite, type Site } from "../support/site.ts";

/** Hosts whose servers Ironic manages: discovered, used, erased, back; and set aside. */

const node = `/v1/nodes/${nodeName(1)}`;

async function open(): Promise<Site> {
  const site = await openSite();
  await withIronic(site);
  await withMetal(site, { url_boot: false });
  await addNode(site, 1);
  return site;
}

it("are discovered, used, erased and offered again", { tags: "smoke" }, async () => {
  const site = await open();
  const id = await addNodeHost(site, 1);
  await untilHost(site, id, "AVAILABLE");
  expect(await askIronic(site, "GET", node)).toMatchObject({
    ...{ provision_state: "manageable", extra: { slipway_host: id } },
  });
  const { drives } = (await hostOf(site, id)).status.server;
  expect(drives).toHaveLength(2);
  for (const drive of drives) expect(drive).toMatchObject({ method: "unspecified", state: "done" });
  expect(machineOf(site, 1).images).toEqual({});

  const cluster = await site.order("c1", { template: { id: metal } });
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(machineOf(site, 1).drives.map(({ written }) => written)).not.toContain(undefined);
  await site.api("DELETE", `clusters/${cluster}`);
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  await untilHost(site, id, "CLEANING");
  await untilHost(site, id, "AVAILABLE");
  expect(machineOf(site, 1).drives.map(({ written }) => written)).toEqual([undefined, undefined]);
  const again = (await hostOf(site, id)).status.server.drives;
  for (const [n, { erased_at }] of again.entries())
    expect(Date.parse(erased_at)).toBeGreaterThan(Date.parse(drives[n].erased_at));
  expect(await wrongInBooks(site)).toEqual([]);
});

it("are set aside when their cleaning fails, until a person asks for it again", async () => {
  const site = await open();
  site.world.faults.add({
    ...{ target: "bmc:server-1", operation: "wipe fails", fault: "hold" },
  });
  const id = await addNodeHost(site, 1);
  await untilHost(site, id, "QUARANTINED");
  const { message, server } = (await hostOf(site, id)).status;
  expect(message).toContain("Failed to erase the device /dev/nvme0n1");
  expect(server.quarantine.step).toBe("EraseDrives");
  expect(await askIronic(site, "GET", node)).toMatchObject({
    ...{ provision_state: "clean failed", maintenance: true },
  });
  site.world.faults.clear();
  const { status } = await site.admin("POST", `hosts/${id}/retry`);
  expect(status).toBe(200);
  await untilHost(site, id, "AVAILABLE");
  expect(await askIronic(site, "GET", node)).toMatchObject({ maintenance: false });
});

it("are set aside when no start brings an agent, until a person asks for it again", async () => {
  const site = await open();
  const id = await addNodeHost(site, 1);
  site.world.faults.add({ target: "bmc:server-1", operation: "boot", fault: "error", count: 0 });
  await untilHost(site, id, "QUARANTINED");
  await expectNoAgent(site, id);
  expect(await wrongInBooks(site)).toEqual([]);
  site.world.faults.clear();
  accepted(await site.admin("POST", `hosts/${id}/retry`));
  await untilHost(site, id, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("are offered when a start fails and the next one does not", async () => {
  const site = await open();
  site.world.faults.add({ target: "bmc:server-1", operation: "boot", fault: "error" });
  await untilHost(site, await addNodeHost(site, 1), "AVAILABLE");
  expect(site.world.faults.list()).toMatchObject([{ taken: 1 }]);
});

it.each([
  ["deleted", async (site: Site, id: string) => site.admin("DELETE", `hosts/${id}`)],
  ["retired", async (site: Site, id: string) => site.admin("POST", `hosts/${id}/retire`)],
])("are given up at Ironic when they are %s, and can be taken by another", async (_, letGo) => {
  const site = await open();
  const id = await addNodeHost(site, 1);
  await untilHost(site, id, "AVAILABLE");
  expect((await letGo(site, id)).status).toBe(200);
  const isFree = async () => !("slipway_host" in (await askIronic(site, "GET", node)).extra);
  await site.laptop.until(isFree, "the node to be given up");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("are set aside when somebody else uses their node, which is left as it is", async () => {
  const site = await open();
  await askIronic(site, "PATCH", node, [{ op: "add", path: "/instance_uuid", value: "vm-1" }]);
  const before = await askIronic(site, "GET", node);
  const id = await addNodeHost(site, 1);
  await untilHost(site, id, "QUARANTINED");
  expect((await hostOf(site, id)).status.message).toBe(
    "expected the node node-1 to have no instance; it has vm-1",
  );
  expect(await askIronic(site, "GET", node)).toEqual(before);
  expect(site.calls.filter((call) => call.includes("/v1/"))).toEqual([]);
});
