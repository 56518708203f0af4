import { expect, it } from "vitest";
import { hostId } from "../../sim/host.ts";
import { addServerWithDpus, dpuName, dpuOf, settledDpu } from "../support/dpus.ts";
import { oneServer, orderServer } from "../support/instances.ts";
import { hostOf, machineOf, untilHost, withMetal } from "../support/managed-hosts.ts";
import { atRest } from "../support/networks.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site } from "../support/site.ts";

/** Another server, or another DPU, is behind an address in the middle of an order. */

const swap = (site: Site, machine: string) =>
  site.world.faults.add({
    ...{ target: `bmc:${machine}`, operation: "another server" },
    ...{ fault: "hold", count: 0 },
  });
const swapBack = (site: Site) =>
  site.world.faults.clear(({ operation }) => operation === "another server");

it("fails an order that finds another server, and names no hardware to its tenant", {
  tags: "smoke",
}, async () => {
  const {
    site,
    brought: { hosts },
  } = await siteAfter(oneServer);
  const [host = ""] = hosts;
  swap(site, "server-1");
  const id = await orderServer(site, "db-1");
  await untilHost(site, host, "QUARANTINED");
  const { status } = await atRest(site, "baremetal_instances", id);
  expect(status.state).toMatch(/_FAILED$/);
  expect(JSON.stringify(status)).not.toContain("ANOTHER");
  expect(site.world.bmcs.touched()).toEqual([]);
  swapBack(site);
  expect((await site.admin("POST", `hosts/${host}/retry`)).status).toBe(200);
  await untilHost(site, host, "AVAILABLE");
});

it("lets a tenant delete a server in whose place another one is, without switching that off", async () => {
  const {
    site,
    brought: { hosts },
  } = await siteAfter(oneServer);
  const [host = ""] = hosts;
  const id = await orderServer(site, "db-1");
  expect((await atRest(site, "baremetal_instances", id)).status.state).toMatch(/_RUNNING$/);
  swap(site, "server-1");
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  await site.laptop.until(
    async () => (await site.api("GET", `baremetal_instances/${id}`)).status === 404,
    "the server to be gone",
  );
  await untilHost(site, host, "QUARANTINED");
  expect(site.world.bmcs.touched()).toEqual([]);
  expect((await hostOf(site, host)).status.server.condition).toBe("SERVER_CONDITION_USED");
  expect(machineOf(site, 1).drives.length).toBeGreaterThan(0);
});

it("touches no DPU that is another one than before, until a person accepts it", async () => {
  const site = await openSite();
  await withMetal(site);
  const { dpus } = await addServerWithDpus(site, 1, { dpus: 1, missing: 1 });
  const [id = ""] = dpus;
  const provision = () => site.admin("POST", `dpus/${id}/retry`);
  expect((await provision()).status).toBe(200);
  expect((await settledDpu(site, id)).identity?.known).toMatchObject({
    serial: expect.any(String),
  });
  const accept = () => site.admin("POST", `dpus/${id}/accept_identity`);
  expect((await accept()).status).toBe(400);
  const machine = hostId(dpuName(1, 0));
  const before = site.world.bmcs.machines.get(machine);
  if (!before) throw new Error("there is no DPU");
  site.world.bmcs.machines.put({ ...before, serial: "MT2423600XYZ", uuid: "" });
  await provision();
  const { status, identity } = await settledDpu(site, id);
  expect(status.state).toBe("DPU_STATE_QUARANTINED");
  expect(status.message).toMatch(
    /^expected the server with serial number .* reports serial number MT2423600XYZ/,
  );
  expect(identity?.other).toMatchObject({ serial: "MT2423600XYZ" });
  expect(site.world.bmcs.machines.get(machine)).toMatchObject({
    boot: before.boot,
    power: before.power,
  });
  expect((await accept()).status).toBe(200);
  expect((await dpuOf(site, id)).identity?.known).toMatchObject({ serial: "MT2423600XYZ" });
});
