import { expect, it } from "vitest";
import { hostId } from "../../sim/host.ts";
import { wrongInBooks } from "../support/books.ts";
import { addServerWithDpus, dpuName } from "../support/dpus.ts";
import { orderServer, withServers } from "../support/instances.ts";
import { hostOf, untilHost } from "../support/managed-hosts.ts";
import { atRest, networkWithSubnet, orderOf } from "../support/networks.ts";
import { macOf, packetsOf, withOverlay } from "../support/overlay.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site } from "../support/site.ts";

/** Tenants' servers whose networks their DPUs make. */

interface Brought {
  network: string;
  subnet: string;
  hosts: string[];
}

async function withHosts(site: Site): Promise<Brought> {
  await withServers(site);
  await withOverlay(site);
  const found = await networkWithSubnet(site);
  const hosts: string[] = [];
  for (const number of [1, 2]) hosts.push((await addServerWithDpus(site, number)).host);
  for (const id of hosts) await untilHost(site, id, "AVAILABLE");
  return { ...found, hosts };
}

const rested = (site: Site, id: string) => atRest(site, "baremetal_instances", id);

/** The number of the server that an instance has. */
async function numberOf(site: Site, { hosts }: Brought, id: string): Promise<1 | 2> {
  const { status } = await hostOf(site, hosts[0] ?? "");
  return status.owner?.id === id ? 1 : 2;
}

const reaches = (site: Site, from: number, to: number) =>
  packetsOf(site).reaches({ nic: macOf(from) }, { nic: macOf(to) }, "tcp", 443).arrives;

it("stand in their subnet once every DPU has told so, and are isolated before they end", {
  tags: "smoke",
}, async () => {
  const { site, brought } = await siteAfter(withHosts);
  const ids = [await orderServer(site, "db-1"), await orderServer(site, "db-2")];
  for (const id of ids) {
    const { status } = await rested(site, id);
    expect(status.state, JSON.stringify(status)).toBe("BARE_METAL_INSTANCE_STATE_RUNNING");
  }
  expect(reaches(site, 1, 2)).toBe(true);
  expect(await wrongInBooks(site)).toEqual([]);
  const [one = "", two = ""] = ids;
  const number = await numberOf(site, brought, one);
  expect((await site.api("DELETE", `baremetal_instances/${one}`)).status).toBe(200);
  expect(await rested(site, one)).toBeUndefined();
  expect(reaches(site, 1, 2) || reaches(site, 2, 1)).toBe(false);
  const host = brought.hosts[number - 1] ?? "";
  expect((await hostOf(site, host)).status.state).toBe("HOST_STATE_CLEANING");
  await untilHost(site, host, "AVAILABLE");
  expect((await site.api("DELETE", `baremetal_instances/${two}`)).status).toBe(200);
  expect(await rested(site, two)).toBeUndefined();
  for (const id of brought.hosts) await untilHost(site, id, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
  // The addresses that they had are forgotten with their subnet.
  expect((await site.api("DELETE", `subnets/${brought.subnet}`)).status).toBe(200);
  expect(await atRest(site, "subnets", brought.subnet)).toBeUndefined();
  expect(await wrongInBooks(site)).toEqual([]);
});

it("stand in their subnet where nobody has written down which NIC is behind a port: the DPUs have seen it", async () => {
  const { site } = await siteAfter(async (site) => {
    await withServers(site);
    await withOverlay(site);
    await networkWithSubnet(site);
    for (const number of [1, 2]) {
      const registered = () => ({ ports: [{ name: "pf0hpf" }] });
      const { host } = await addServerWithDpus(site, number, { registered });
      await untilHost(site, host, "AVAILABLE");
    }
  });
  for (const name of ["db-1", "db-2"]) {
    const { status } = await rested(site, await orderServer(site, name));
    expect(status.state, JSON.stringify(status)).toBe("BARE_METAL_INSTANCE_STATE_RUNNING");
  }
  expect(reaches(site, 1, 2)).toBe(true);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("leave a host to be set aside whose DPU falls silent when the tenant is gone", async () => {
  const { site, brought } = await siteAfter(withHosts);
  const id = await orderServer(site, "db-1");
  await rested(site, id);
  const number = await numberOf(site, brought, id);
  const host = brought.hosts[number - 1] ?? "";
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  await untilHost(site, host, "CLEANING");
  const target = `bmc:${dpuName(number, 1)}`;
  site.world.faults.add({ target, operation: "agent", fault: "hold", count: 0 });
  await untilHost(site, host, "QUARANTINED");
  expect((await hostOf(site, host)).status.server.quarantine).toMatchObject({
    step: "LeaveNetworks",
    reason: expect.stringMatching(
      new RegExp(
        `^waited 30 min for DPU ${dpuName(number, 1)} to report that the host is on the admin network, version \\d+; it has version \\d+$`,
      ),
    ),
  });
});

it("change their security groups on their DPUs", async () => {
  const { site, brought } = await siteAfter(withHosts);
  const { network, subnet } = brought;
  const ids = [await orderServer(site, "db-1"), await orderServer(site, "db-2")];
  for (const id of ids) await rested(site, id);
  const [one = ""] = ids;
  const group = await orderOf(site, "security_groups", "closed", { virtual_network: network });
  await atRest(site, "security_groups", group);
  const spec = { network_attachments: [{ subnet, security_groups: ["closed"] }] };
  const changed = await site.api("PATCH", `baremetal_instances/${one}`, { spec });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  const { status } = await rested(site, one);
  expect(status.state).toBe("BARE_METAL_INSTANCE_STATE_RUNNING");
  expect(reaches(site, 1, 2) || reaches(site, 2, 1)).toBe(false);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("end with a dead DPU too: the host is proved off, and set aside with what was expected and seen", async () => {
  const { site, brought } = await siteAfter(withHosts);
  const id = await orderServer(site, "db-1");
  await rested(site, id);
  const number = await numberOf(site, brought, id);
  const host = brought.hosts[number - 1] ?? "";
  const target = `bmc:${dpuName(number, 1)}`;
  site.world.faults.add({ target, operation: "agent", fault: "hold", count: 0 });
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  expect(await rested(site, id)).toBeUndefined();
  const { status } = await hostOf(site, host);
  expect(status.state).toBe("HOST_STATE_QUARANTINED");
  expect(status.owner).toBeUndefined();
  expect(status.server.quarantine.reason).toMatch(
    /^expected DPU server-\d-dpu-1 to report that the host is on the admin network, version \d; it has version \d within 30 minutes; the host is proved off by its controller$/,
  );
  expect(site.world.bmcs.machines.get(hostId(`server-${number}`))?.power).toBe("Off");
  expect(await wrongInBooks(site)).toEqual([]);
  // Mended, it is cleaned before anybody gets it.
  site.world.faults.clear();
  expect((await site.admin("POST", `hosts/${host}/retry`)).status).toBe(200);
  await untilHost(site, host, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("is removed by force where neither a DPU nor the host's controller answers, and somebody has seen that it is off", async () => {
  const { site, brought } = await siteAfter(withHosts);
  const id = await orderServer(site, "db-1");
  await rested(site, id);
  const number = await numberOf(site, brought, id);
  const host = brought.hosts[number - 1] ?? "";
  for (const fault of [
    { target: `bmc:${dpuName(number, 1)}`, operation: "agent", fault: "hold" as const, count: 0 },
    { target: `bmc:server-${number}`, fault: "error" as const, count: 0 },
  ])
    site.world.faults.add(fault);
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  await site.laptop.pass(3 * 60 * 60_000);
  expect((await site.api("GET", `baremetal_instances/${id}`)).body.status.state).toMatch(
    /_DELETE_FAILED$/,
  );
  const forced = await site.admin("POST", `baremetal_instances/${id}/force`, { is_off: true });
  expect(forced.status, JSON.stringify(forced.body)).toBe(200);
  expect(await rested(site, id)).toBeUndefined();
  const { status } = await hostOf(site, host);
  expect(status.state).toBe("HOST_STATE_QUARANTINED");
  expect(status.server.quarantine.reason).toMatch(
    /^expected DPU server-\d-dpu-1 to report .* within 1 minute; .* says that the host is off$/,
  );
  expect(await wrongInBooks(site)).toEqual([]);
});
