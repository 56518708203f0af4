import { expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { isWithin } from "../../core/prefix.ts";
import { hostId } from "../../sim/host.ts";
import { wrongInBooks } from "../support/books.ts";
import { addServerWithDpus, dpuName, dpuOf } from "../support/dpus.ts";
import { hostOf, untilHost, withMetal } from "../support/managed-hosts.ts";
import { recordsIn } from "../support/records.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** Hosts with DPUs: discovered through them, on the network of free hosts. */

async function metalSite(): Promise<Site> {
  const site = await openSite();
  await withMetal(site);
  return site;
}

async function freeHostWithDpus(site: Site): Promise<{ host: string; dpus: string[] }> {
  await withMetal(site);
  const { host, dpus } = await addServerWithDpus(site, 1);
  await untilHost(site, host, "AVAILABLE");
  return { host, dpus };
}

/** What there is of tokens of hosts or of DPUs: for each its value, and the two items that belong to it. */
function tokensOf(site: Site, kind: "host" | "dpu"): string[] {
  const items = [...site.laptop.store.items()].filter(
    ({ pk, machine_kind: of }) =>
      pk.startsWith(`machine-token-of#${kind}#`) ||
      (pk.startsWith("machine-token#") && of === kind),
  );
  const values = [...site.secrets.keys()].filter((name) => name.startsWith(`machine/${kind}/`));
  return [...items.map(({ pk }) => pk), ...values];
}

const untilItBoots = (site: Site, host: string): Promise<void> =>
  site.laptop.until(async () => {
    const { operation } = (await hostOf(site, host)).status;
    const { status } = (await site.admin("GET", `operations/${operation}`)).body;
    return status?.steps?.some(
      ({ name, start_time }: Wire) => name === "BootFromAdminNetwork" && start_time,
    );
  }, "the host to boot");

it("are discovered through their DPUs, behind whose ports their NICs are then known to be", {
  tags: "smoke",
}, async () => {
  const {
    site,
    brought: { host, dpus },
  } = await siteAfter(freeHostWithDpus);
  const { status } = await hostOf(site, host);
  expect(status.dpu_ports).toEqual([
    { nic: "eno1", dpu: dpus[0], port: "pf0hpf" },
    { nic: "eno2", dpu: dpus[1], port: "pf0hpf" },
  ]);
  expect(status.server.condition).toBe("SERVER_CONDITION_READY");
  for (const id of dpus) {
    const { status: of, applied } = await dpuOf(site, id);
    expect(of.state).toBe("DPU_STATE_READY");
    const [lease] = of.leases ?? [];
    expect(isWithin("10.240.0.0/16", `${lease?.address}/32`), lease?.address).toBe(true);
    expect(applied?.advertised).toContain(`${lease?.address}/32`);
  }
  // The token of its boot has ended with the boot; those of the DPUs live on.
  expect(tokensOf(site, "host")).toEqual([]);
  expect(tokensOf(site, "dpu")).toHaveLength(3 * dpus.length);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("wait for the slowest DPU, and boot nothing before", async () => {
  const site = await metalSite();
  const slow = { target: `bmc:${dpuName(1, 1)}`, operation: "address" };
  site.world.faults.add({ ...slow, fault: "hold", count: 0 });
  const { host, dpus } = await addServerWithDpus(site, 1);
  await site.laptop.until(async () => (await dpuOf(site, dpus[0] ?? "")).isProvisioned === true);
  await site.laptop.pass(10 * 60_000);
  const { operation, state } = (await hostOf(site, host)).status;
  expect(state).toBe("HOST_STATE_DISCOVERING");
  const { status } = (await site.admin("GET", `operations/${operation}`)).body;
  expect(JSON.stringify(status)).toContain(`1 of 2 DPUs to be provisioned: ${dpuName(1, 1)}`);
  expect(site.world.bmcs.machines.get(hostId("server-1"))?.power).toBe("Off");
  site.world.faults.clear();
  await untilHost(site, host, "AVAILABLE");
});

it("are set aside with a DPU that fails, and tried again with it", async () => {
  const site = await metalSite();
  site.world.faults.add({
    target: `bmc:${dpuName(1, 1)}`,
    operation: "image",
    fault: "hold",
    count: 0,
  });
  const { host } = await addServerWithDpus(site, 1);
  await untilHost(site, host, "QUARANTINED");
  expect((await hostOf(site, host)).status.server.quarantine).toMatchObject({
    step: "ProvisionDpus",
    reason: expect.stringMatching(
      /^expected DPU server-1-dpu-1 to be provisioned; expected the image's request for its seed/,
    ),
  });
  site.world.faults.clear();
  expect((await site.admin("POST", `hosts/${host}/retry`)).status).toBe(200);
  await untilHost(site, host, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("are set aside when they boot something else at the address that is advertised, and get nothing by the token of that boot any more", async () => {
  const site = await metalSite();
  const target = "bmc:server-1";
  site.world.faults.add({ target, operation: "boot", fault: "error", count: 0 });
  const { host } = await addServerWithDpus(site, 1, { dpus: 1 });
  await untilHost(site, host, "QUARANTINED");
  expect((await hostOf(site, host)).status.server.quarantine).toMatchObject({
    step: "AwaitAgent",
  });
  expect(tokensOf(site, "host")).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("are set aside when no DPU relays what they ask DHCP", async () => {
  const site = await metalSite();
  for (const at of [0, 1])
    site.world.faults.add({
      ...{ target: `bmc:${dpuName(1, at)}`, operation: "relay" },
      ...{ fault: "hold", count: 0 },
    } as const);
  const { host } = await addServerWithDpus(site, 1);
  await untilHost(site, host, "QUARANTINED");
  expect((await hostOf(site, host)).status.server.quarantine).toMatchObject({
    step: "AdvertiseAddress",
    reason:
      "expected a DPU to report which address DHCP gave a NIC of the host within 30 minutes of a start; after 3 starts, none has reported",
  });
  site.world.faults.clear();
  expect((await site.admin("POST", `hosts/${host}/retry`)).status).toBe(200);
  await untilHost(site, host, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("are set aside when DHCP gives them an address of another network", async () => {
  const site = await metalSite();
  const { host } = await addServerWithDpus(site, 1);
  await untilItBoots(site, host);
  // Its DPUs were told another one.
  const admin_network = { cidr: "10.241.0.0/16", gateway: "10.241.0.1" };
  const spec = { machines: { admin_network } };
  expect((await site.admin("PATCH", "sites/site-1", { spec })).status).toBe(200);
  await untilHost(site, host, "QUARANTINED");
  expect((await hostOf(site, host)).status.server.quarantine).toMatchObject({
    step: "AdvertiseAddress",
    reason: expect.stringMatching(
      /^expected an address in 10\.241\.0\.0\/16 for NIC eno1; DHCP gave it 10\.240\./,
    ),
  });
});

it("are set aside when no DPU tells which address they have, which no further start would change", async () => {
  const site = await metalSite();
  const { host } = await addServerWithDpus(site, 1);
  await untilItBoots(site, host);
  for (const at of [0, 1])
    site.world.faults.add({
      ...{ target: `bmc:${dpuName(1, at)}`, operation: "agent" },
      ...{ fault: "hold", count: 0 },
    } as const);
  await untilHost(site, host, "QUARANTINED");
  expect((await hostOf(site, host)).status.server.quarantine).toMatchObject({
    step: "AdvertiseAddress",
    reason: "waited 3 h for a DPU to report which address DHCP gave a NIC of the host",
  });
});

it("are set aside when a DPU does not tell any more what it does", async () => {
  const {
    site,
    brought: { host },
  } = await siteAfter(freeHostWithDpus);
  site.world.faults.add({
    target: `bmc:${dpuName(1, 0)}`,
    operation: "agent",
    fault: "hold",
    count: 0,
  });
  expect((await site.admin("POST", `hosts/${host}/maintain`)).status).toBe(200);
  await site.laptop.until(async () => {
    const { operation, server } = (await hostOf(site, host)).status;
    return operation === undefined && server.condition === "SERVER_CONDITION_CLEAN";
  }, "the host to be off");
  expect((await site.admin("POST", `hosts/${host}/release`)).status).toBe(200);
  await untilHost(site, host, "QUARANTINED");
  expect((await hostOf(site, host)).status.server.quarantine).toMatchObject({
    step: "ConfirmAdminNetwork",
    reason:
      "waited 30 min for DPU server-1-dpu-0 to report that the host is on the admin network, version 4; it has version 3",
  });
});

it("are set aside while a DPU is silent, say when it was heard last, and come back by themselves", async () => {
  const {
    site,
    brought: { host, dpus },
  } = await siteAfter(freeHostWithDpus);
  const target = `bmc:${dpuName(1, 1)}`;
  site.world.faults.add({ target, operation: "agent", fault: "hold", count: 0 });
  await untilHost(site, host, "QUARANTINED");
  const { body: dpu } = await site.admin("GET", `dpus/${dpus[1]}`);
  const silent = site.laptop.clock.now() - Date.parse(dpu.status.last_heard_time);
  expect(silent).toBeGreaterThan(minutes(30));
  expect((await hostOf(site, host)).status.health.alerts).toMatchObject([
    {
      source: "dpu server-1-dpu-1",
      id: "report-late",
      message: expect.stringMatching(
        /^expected a report every 10 minutes; the last that counts came at \S+Z$/,
      ),
    },
  ]);
  const { body: shown } = await site.admin("GET", `hosts/${host}`);
  expect(shown.status.server.quarantine.reason).toMatch(
    /^dpu server-1-dpu-1: expected a report every 10 minutes; the last that counts came at \S+Z$/,
  );
  expect(shown.status.message).toBe(shown.status.server.quarantine.reason);
  expect((await site.admin("POST", `hosts/${host}/release`)).body.message).toContain(
    "it returns by itself once its DPU reports",
  );
  site.world.faults.clear();
  await untilHost(site, host, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it.each(["retry", "reprovision"])(
  "are discovered anew at once by %s while a DPU is silent, and set aside where it stays so",
  async (asked) => {
    const {
      site,
      brought: { host },
    } = await siteAfter(freeHostWithDpus);
    const target = `bmc:${dpuName(1, 1)}`;
    site.world.faults.add({ target, operation: "agent", fault: "hold", count: 0 });
    await untilHost(site, host, "QUARANTINED");
    expect((await site.admin("POST", `hosts/${host}/${asked}`)).status).toBe(200);
    expect((await hostOf(site, host)).status.state).toBe("HOST_STATE_DISCOVERING");
    await untilHost(site, host, "QUARANTINED");
    expect((await hostOf(site, host)).status.server.quarantine).toMatchObject({
      step: asked === "retry" ? "ConfirmAdminNetwork" : "ProvisionDpus",
    });
    site.world.faults.clear();
    expect((await site.admin("POST", `hosts/${host}/retry`)).status).toBe(200);
    await untilHost(site, host, "AVAILABLE");
    expect(await wrongInBooks(site)).toEqual([]);
  },
);

it("come to the pool though their controller was silent while they booted", async () => {
  const site = await metalSite();
  const { host } = await addServerWithDpus(site, 1);
  await site.laptop.until(async () => {
    const { server } = await mustLoad(recordsIn(site.laptop.store), "host", host);
    return server?.boot?.phase === "switching_on";
  }, "it is switched on");
  site.world.faults.add({ target: "bmc:server-1", fault: "timeout", count: 0 });
  const hasReported = async () => (await hostOf(site, host)).status.agent?.gone === false;
  await site.laptop.until(hasReported, "its agent");
  await site.laptop.pass(minutes(2));
  site.world.faults.clear();
  await untilHost(site, host, "AVAILABLE");
});

it("are set aside when their NICs are behind other ports than is written down", async () => {
  const site = await metalSite();
  const macs = ["52:54:00:fe:01:02", "52:54:00:fe:01:01"];
  const { host } = await addServerWithDpus(site, 1, {
    registered: (n) => ({ ports: [{ name: "pf0hpf", host_mac: macs[n] }] }),
  });
  await untilHost(site, host, "QUARANTINED");
  expect((await hostOf(site, host)).status.server.quarantine).toMatchObject({
    step: "MapPorts",
    reason: "expected NIC eno2 at port pf0hpf of DPU server-1-dpu-0; eno1 was seen there",
  });
});

it("leave the pool with a DPU that is provisioned again, and come back", async () => {
  const {
    site,
    brought: { host, dpus },
  } = await siteAfter(freeHostWithDpus);
  expect((await site.admin("POST", `dpus/${dpus[0]}/retry`)).status).toBe(200);
  const { server } = await mustLoad(recordsIn(site.laptop.store), "host", host);
  expect(server?.condition).toBe("CLEAN");
  await untilHost(site, host, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});
