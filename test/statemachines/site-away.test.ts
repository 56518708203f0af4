import { expect, it } from "vitest";
import { hours, minutes } from "../../core/clock.ts";
import { sweepSiteOrphans } from "../../core/reconcile/sweep-orphans.ts";
import { wrongInBooks } from "../support/books.ts";
import { addServerWithDpus, cutOff, dpuName, dpuOf } from "../support/dpus.ts";
import { orderServer, withServers } from "../support/instances.ts";
import { hostOf, untilHost, withMetal } from "../support/managed-hosts.ts";
import { atRest, networkWithSubnet, orderOf } from "../support/networks.ts";
import { withOverlay } from "../support/overlay.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

it("a site says which of its systems is unreachable, since when, and how old what is known is", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const { clock, deps } = site.laptop;
  const look = () => clock.until(sweepSiteOrphans(deps, "site-1"));
  const status = async () => (await site.admin("GET", "sites/site-1")).body.status;
  const systemOf = async (name: string) =>
    (await status()).systems.find(({ system }: { system: string }) => system === name);

  await look();
  const { last_reached_time: last } = await systemOf("dns");
  expect((await status()).systems.map(({ system }: { system: string }) => system)).toEqual([
    ...["fabric", "dns", "storage"],
  ]);
  expect((await status()).away).toBeUndefined();

  site.world.faults.add({ target: "dns", fault: "error", status: 503, count: 0 });
  await site.laptop.pass(minutes(20));
  await look();
  // One lost look is no loss of the system.
  const { away_since: since } = await systemOf("dns");
  expect((await status()).away).toBeUndefined();
  await site.laptop.pass(minutes(20));
  await look();
  expect((await status()).away).toEqual(["dns"]);
  expect(await systemOf("dns")).toEqual({
    ...{ system: "dns", last_reached_time: last, away_since: since },
    message: expect.stringContaining("503"),
  });
  expect((await systemOf("storage")).away_since).toBeUndefined();

  site.world.faults.clear();
  await look();
  expect((await status()).away).toBeUndefined();
  expect((await systemOf("dns")).away_since).toBeUndefined();
  expect(Date.parse((await systemOf("dns")).last_reached_time)).toBeGreaterThan(Date.parse(since));
});

const away = hours(5);

async function secondSubnet(site: Site, network: string): Promise<string> {
  const spec = { virtual_network: network, ipv4_cidr: "10.20.2.0/24" };
  const id = await orderOf(site, "subnets", "shop-db", spec);
  await atRest(site, "subnets", id);
  return id;
}

it("hosts wait for DPUs of a site that is unreachable, and go on when it is back", async () => {
  const site = await openSite();
  await withMetal(site);
  const { host, dpus } = await addServerWithDpus(site, 1);
  const isInstalled = async () => (await dpuOf(site, dpus[0] ?? "")).told?.discovery !== undefined;
  await site.laptop.until(isInstalled, "a DPU to report its discovery");
  cutOff(site);
  await site.laptop.pass(away);
  expect((await hostOf(site, host)).status.state).toBe("HOST_STATE_DISCOVERING");
  site.world.faults.clear();
  await untilHost(site, host, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("hosts whose agent has reported wait for DPUs of a site that is unreachable to tell their address", async () => {
  const site = await openSite();
  await withMetal(site);
  const { host } = await addServerWithDpus(site, 1);
  const isBegun = async () => {
    const { operation } = (await hostOf(site, host)).status;
    const { status } = (await site.admin("GET", `operations/${operation}`)).body;
    const step = ({ name }: Wire) => name === "BootFromAdminNetwork";
    return status?.steps?.find(step)?.start_time !== undefined;
  };
  await site.laptop.until(isBegun, "the host to boot");
  const agents = { target: "bmc", operation: "agent", fault: "hold", count: 0 } as const;
  site.world.faults.add(agents);
  const hasReported = async () => (await hostOf(site, host)).status.agent?.gone === false;
  await site.laptop.until(hasReported, "its agent");
  cutOff(site);
  await site.laptop.pass(away);
  expect((await hostOf(site, host)).status.state).toBe("HOST_STATE_DISCOVERING");
  site.world.faults.clear();
  await untilHost(site, host, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a site whose DPUs were taken away has none that are away", async () => {
  const site = await openSite();
  await withMetal(site);
  const { host, dpus } = await addServerWithDpus(site, 1);
  await untilHost(site, host, "AVAILABLE");
  expect((await site.admin("POST", `hosts/${host}/retire`)).status).toBe(200);
  await untilHost(site, host, "RETIRED");
  for (const id of dpus) expect((await site.admin("DELETE", `dpus/${id}`)).status).toBe(200);
  await site.laptop.pass(away);
  const { systems = [] } = (await site.admin("GET", "sites/site-1")).body.status;
  expect(systems.map(({ system }: Wire) => system)).not.toContain("machines");
});

it("servers wait for DPUs of a site that is unreachable, on their way in, from network to network, and out", async () => {
  const site = await openSite();
  await withServers(site);
  await withOverlay(site);
  const { network } = await networkWithSubnet(site);
  const { host, dpus } = await addServerWithDpus(site, 1);
  await untilHost(site, host, "AVAILABLE");
  const id = await orderServer(site, "db-1");
  const status = async (): Promise<Wire> =>
    (await site.admin("GET", `baremetal_instances/${id}`)).body?.status;
  const isStill = async (state: RegExp) => {
    cutOff(site);
    await site.laptop.pass(away);
    expect((await status()).state).toMatch(state);
    expect((await status()).waiting).toMatchObject([{ since: expect.any(String) }]);
    site.world.faults.clear();
  };
  const [dpu = ""] = dpus;
  const isWanted = async () => (await dpuOf(site, dpu)).wanted?.host?.network === "overlay";
  await site.laptop.until(isWanted, "its DPUs to be asked");
  await isStill(/_PROVISIONING$/);
  await atRest(site, "baremetal_instances", id);
  expect((await status()).state).toMatch(/_RUNNING$/);

  const spec = { network_attachments: [{ subnet: await secondSubnet(site, network) }] };
  expect((await site.api("PATCH", `baremetal_instances/${id}`, { spec })).status).toBe(200);
  await isStill(/_RUNNING$/);
  expect((await atRest(site, "baremetal_instances", id)).status.state).toMatch(/_RUNNING$/);

  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  await isStill(/_DELETING$/);
  expect(await atRest(site, "baremetal_instances", id)).toBeUndefined();
  await untilHost(site, host, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a site whose machines are away is read with the age of what is known, and its orders wait until it is back", async () => {
  const site = await openSite();
  await withServers(site);
  await withOverlay(site);
  await networkWithSubnet(site);
  const { host, dpus } = await addServerWithDpus(site, 1);
  await untilHost(site, host, "AVAILABLE");
  const id = await orderServer(site, "db-1");
  await atRest(site, "baremetal_instances", id);
  const [dpu = ""] = dpus;
  const read = async (path: string): Promise<Wire> => (await site.admin("GET", path)).body.status;
  const machines = async () =>
    (await read("sites/site-1")).systems?.find(({ system }: Wire) => system === "machines");
  expect((await machines()).away_since).toBeUndefined();

  const left = site.laptop.clock.now();
  cutOff(site);
  await site.laptop.pass(minutes(90));

  // What is read is what was told before, and says so.
  const ofHost = await read(`hosts/${host}`);
  const ofDpu = await read(`dpus/${dpu}`);
  const { power_time: power } = ofHost.server;
  const { last_heard_time: heard, applied_time: applied, told_times: told } = ofDpu;
  for (const time of [power, ofHost.agent.observed_at, heard, applied, told.discovery]) {
    expect(time).toEqual(expect.any(String));
    expect(Date.parse(time)).toBeLessThanOrEqual(left);
  }
  expect(ofHost.health.alerts).toContainEqual(
    expect.objectContaining({ id: "report-late", source: `dpu ${dpuName(1, 0)}` }),
  );
  const ofServer = await read(`baremetal_instances/${id}`);
  expect(ofServer).toMatchObject({ state: expect.stringMatching(/_RUNNING$/), power: "on" });
  expect(Date.parse(ofServer.power_time)).toBeLessThanOrEqual(left);

  const { last_reached_time: last, away_since: since } = await machines();
  expect(since).toBe(last);
  expect(Date.parse(last)).toBeLessThanOrEqual(left);

  // What is asked for is accepted, and says what it waits for.
  const spec = { run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED" };
  const halted = await site.api("PATCH", `baremetal_instances/${id}`, { spec });
  expect(halted.status, JSON.stringify(halted.body)).toBe(200);
  await site.laptop.pass(minutes(10));
  const { state, waiting } = await read(`baremetal_instances/${id}`);
  expect(state).toMatch(/_STOPPING$/);
  expect(waiting).toMatchObject([{ message: expect.any(String), since: expect.any(String) }]);

  site.world.faults.clear();
  const { status } = await atRest(site, "baremetal_instances", id);
  expect(status.state, JSON.stringify(status)).toMatch(/_STOPPED$/);
  expect(Date.parse((await read(`dpus/${dpu}`)).last_heard_time)).toBeGreaterThan(left);
  expect((await machines()).away_since).toBeUndefined();
  expect(await wrongInBooks(site)).toEqual([]);
});
