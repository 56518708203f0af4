import { expect, it } from "vitest";
import { hostId } from "../../sim/host.ts";
import { wrongInBooks } from "../support/books.ts";
import { addServerWithDpus, dpuName, dpuOf, settledDpu } from "../support/dpus.ts";
import { withMetal } from "../support/managed-hosts.ts";
import { openSite, type Site } from "../support/site.ts";

/** DPUs, from their first boot to a leaf that carries the packets of its host. */

async function withDpu(registered: object = {}): Promise<{ site: Site; id: string }> {
  const site = await openSite();
  await withMetal(site);
  const { dpus } = await addServerWithDpus(site, 1, {
    // Nothing is done to the host yet.
    ...{ dpus: 1, missing: 1 },
    registered: () => registered,
  });
  const [id = ""] = dpus;
  return { site, id };
}

const provision = async (site: Site, id: string) => {
  const { status, body } = await site.admin("POST", `dpus/${id}/retry`);
  expect(status, JSON.stringify(body)).toBe(200);
};

it("install their image, and become leaves that have their host on the admin network", {
  tags: "smoke",
}, async () => {
  const { site, id } = await withDpu();
  await provision(site, id);
  const { status, wanted, applied } = await settledDpu(site, id);
  expect(status).toMatchObject({
    state: "DPU_STATE_READY",
    address: "10.250.0.2",
    ...{ wanted_version: 2, applied_version: 2 },
    leaf: { asn: expect.any(Number), loopback: expect.any(String) },
  });
  expect(wanted?.host).toMatchObject({ network: "admin", dhcp: "relay" });
  expect(applied?.leaf?.state).toBe("up");
  expect(site.world.dpus.state(hostId(dpuName(1, 0))).applied).toEqual(wanted);
  expect(await wrongInBooks(site)).toEqual([]);
});

const dpu = `bmc:${dpuName(1, 0)}`;

const ends: [string, string, string, RegExp][] = [
  [
    "DHCP answers none",
    "address",
    "BootInstaller",
    /^expected its request for the boot script within 30 minutes of a start; after 8 starts, it has reported nothing$/,
  ],
  [
    "another image is loaded",
    "image",
    "LoadImage",
    /^expected the image's request for its seed .* it has the address 10\.250\.0\.2$/,
  ],
  [
    "cloud-init does not come to its end",
    "phone home",
    "RunCloudInit",
    /it has asked for its seed$/,
  ],
  ["the agent is silent", "agent", "ReportDiscovery", /its cloud-init has reported$/],
  [
    "what is applied is never told",
    "applied",
    "AnnounceLeaf",
    /^waited 30 min for the DPU to apply version 1 of its network; it has not reported one$/,
  ],
  [
    "the sessions of the leaf stay down",
    "sessions",
    "AnnounceLeaf",
    /it has version 1, and its sessions are down$/,
  ],
];

it.each(ends)("are set aside when %s", async (_, operation, step, reason) => {
  const { site, id } = await withDpu();
  site.world.faults.add({ target: dpu, operation, fault: "hold", count: 0 });
  await provision(site, id);
  const { status, quarantine } = await settledDpu(site, id);
  expect(status.state).toBe("DPU_STATE_QUARANTINED");
  expect(quarantine).toMatchObject({ step, reason: expect.stringMatching(reason) });
  expect(await wrongInBooks(site)).toEqual([]);
  // A person has mended it.
  site.world.faults.clear();
  await provision(site, id);
  const mended = await settledDpu(site, id);
  expect(mended.status.state, mended.quarantine?.reason).toBe("DPU_STATE_READY");
  expect(mended.status.message).toBeUndefined();
});

it("are started again when they are silent, every fourth time from power off", async () => {
  const { site, id } = await withDpu();
  site.world.faults.add({ target: dpu, operation: "address", fault: "hold", count: 0 });
  await provision(site, id);
  const started = async (number: number) =>
    site.laptop.until(async () => {
      const { boot } = await dpuOf(site, id);
      return boot?.number === number && boot.phase === "booting";
    });
  await started(3);
  const offs = () => site.calls.filter((call) => call.endsWith("ComputerSystem.Reset")).length;
  const before = offs();
  await started(4);
  // Off and on, where each other start is one restart.
  expect(offs() - before).toBe(2);
  site.world.faults.clear();
  expect((await settledDpu(site, id)).status.state).toBe("DPU_STATE_READY");
});

it("are answered when they ask before their controller has told that they are on", async () => {
  const { site, id } = await withDpu();
  await provision(site, id);
  const resets = () => site.calls.filter((call) => call.endsWith("ComputerSystem.Reset"));
  await site.laptop.until(() => resets().length > 0);
  site.world.faults.add({ target: dpu, fault: "error", status: 503, count: 0 });
  await site.laptop.until(() => {
    const { system } = site.world.dpus.state(hostId(dpuName(1, 0))).runs;
    return !["none", "firmware", "ipxe"].includes(system);
  });
  site.world.faults.clear();
  expect((await settledDpu(site, id)).status.state).toBe("DPU_STATE_READY");
  expect(resets()).toHaveLength(1);
});

it("are set aside untouched when they are not what is written down", async () => {
  const { site, id } = await withDpu({ serial: "MT-9-9" });
  await provision(site, id);
  const { quarantine, status } = await settledDpu(site, id);
  expect(quarantine).toMatchObject({
    step: "BootInstaller",
    reason: expect.stringMatching(
      /^expected the server with serial number MT-9-9 \(by the inventory\); since \S+ its controller reports serial number MT-1-0\./,
    ),
  });
  expect(status.state).toBe("DPU_STATE_QUARANTINED");
});

it("are set aside when DHCP gives them an address that is not of the management network", async () => {
  const { site, id } = await withDpu();
  const { machines } = (await site.admin("GET", "sites/site-1")).body.spec;
  const spec = { machines: { ...machines, management_network: { cidr: "10.252.0.0/16" } } };
  const { status, body } = await site.admin("PATCH", "sites/site-1", { spec });
  expect(status, JSON.stringify(body)).toBe(200);
  await provision(site, id);
  const { quarantine } = await settledDpu(site, id);
  expect(quarantine).toMatchObject({
    step: "GetAddress",
    reason: "expected an address in 10.252.0.0/16; DHCP gave it 10.250.0.2",
  });
  expect(await wrongInBooks(site)).toEqual([]);
});

it("wait for numbers as long as their site has none, and get those that came free", async () => {
  const site = await openSite();
  await withMetal(site);
  const asns = { first: 4_200_000_000, last: 4_200_000_000 };
  const spec = { machines: { asns } };
  expect((await site.admin("PATCH", "sites/site-1", { spec })).status).toBe(200);
  const { dpus } = await addServerWithDpus(site, 1, { missing: 1 });
  const [one = "", two = ""] = dpus;
  await provision(site, one);
  await settledDpu(site, one);
  await provision(site, two);
  const { quarantine } = await settledDpu(site, two);
  expect(quarantine?.reason).toBe("waited 30 min for ASNs of DPUs of site site-1: 1 of 1 in use");
  expect((await site.admin("DELETE", `dpus/${one}`)).status).toBe(200);
  expect(await wrongInBooks(site)).toEqual([]);
  await provision(site, two);
  const { status } = await settledDpu(site, two);
  expect(status).toMatchObject({ state: "DPU_STATE_READY", leaf: { asn: asns.first } });
});

it("ask with a token that ends with their next installation, and with them", async () => {
  const { site, id } = await withDpu();
  await provision(site, id);
  await settledDpu(site, id);
  const { disk } = site.world.dpus.state(hostId(dpuName(1, 0)));
  const ask = (path: string) =>
    site.world.network.ask(
      new Request(`${disk?.url}${path}`, { headers: { Authorization: `Bearer ${disk?.token}` } }),
    );
  expect((await ask("/network")).status).toBe(200);
  // A DPU that is installed boots nothing.
  expect((await ask(`/boot/${disk?.token}`)).status).toBe(404);
  await provision(site, id);
  expect((await ask("/network")).status).toBe(404);
  await settledDpu(site, id);
  expect((await ask("/network")).status).toBe(404);
  expect((await site.admin("DELETE", `dpus/${id}`)).status).toBe(200);
  expect([...site.secrets.keys()].filter((name) => name.includes(id))).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});
