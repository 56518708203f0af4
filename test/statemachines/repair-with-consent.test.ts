import { expect, it } from "vitest";
import { hostId } from "../../sim/host.ts";
import { wrongInBooks } from "../support/books.ts";
import { addServerWithDpus, dpuName, dpuOf } from "../support/dpus.ts";
import { orderServer, serverOf, withServers } from "../support/instances.ts";
import { hostOf, untilHost } from "../support/managed-hosts.ts";
import { atRest, networkWithSubnet } from "../support/networks.ts";
import { macOf, packetsOf, withOverlay } from "../support/overlay.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site, Wire } from "../support/site.ts";

/** DPUs are installed anew while a tenant has their host, once the tenant has consented. */

interface Brought {
  /** The host of the first server. */
  host: string;
  dpus: string[];
  ids: string[];
}

async function twoServers(site: Site): Promise<Brought> {
  await withServers(site);
  await withOverlay(site);
  await networkWithSubnet(site);
  const hosts = [await addServerWithDpus(site, 1), await addServerWithDpus(site, 2)];
  for (const { host } of hosts) await untilHost(site, host, "AVAILABLE");
  const ids = [await orderServer(site, "db-1"), await orderServer(site, "db-2")];
  for (const id of ids) await rested(site, id);
  const { status } = await hostOf(site, hosts[0]?.host ?? "");
  const first = status.owner?.id === ids[0] ? hosts[0] : hosts[1];
  if (!first) throw new Error("no host");
  return { ...first, ids };
}

const rested = (site: Site, id: string): Promise<Wire> => atRest(site, "baremetal_instances", id);
const conditionOf = ({ status }: Wire, type: string): Wire =>
  status.conditions.find((each: Wire) => each.type.endsWith(`_TYPE_${type}`));

async function askFor(site: Site, { host, ids: [id = ""] }: Brought): Promise<void> {
  expect((await site.admin("POST", `hosts/${host}/reprovision`)).status).toBe(200);
  await site.laptop.until(
    async () => conditionOf(await serverOf(site, id), "MAINTENANCE").reason === "ConsentAwaited",
    "the server to say so",
  );
}

async function say(site: Site, { ids: [id] }: Brought, consent: string, more: object = {}) {
  const path = `baremetal_instances/${id}/maintenance`;
  const { status, body } = await site.api("POST", path, { consent, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const installedAt = (site: Site, { dpus }: Brought) =>
  Promise.all(dpus.map(async (id) => (await dpuOf(site, id)).installed_at ?? ""));

/** Both servers reach each other, and the first has what it had. */
async function expectAsBefore(site: Site, { host, ids }: Brought): Promise<void> {
  const [id = ""] = ids;
  const server = await rested(site, id);
  expect(server.status.state, JSON.stringify(server.status)).toMatch(/_RUNNING$/);
  expect(conditionOf(server, "MAINTENANCE")).toMatchObject({ reason: "NoMaintenance" });
  expect(server.status).not.toHaveProperty("repair");
  expect((await hostOf(site, host)).status).not.toHaveProperty("reinstall");
  for (const [from, to] of [
    [1, 2],
    [2, 1],
  ] as const) {
    const found = packetsOf(site).reaches({ nic: macOf(from) }, { nic: macOf(to) }, "tcp", 443);
    expect(found.arrives).toBe(true);
  }
  expect(await wrongInBooks(site)).toEqual([]);
}

it("are installed at once, at the next restart or in a window, and the server runs again where it was", {
  tags: "smoke",
}, async () => {
  const { site, brought } = await siteAfter(twoServers);
  const [id = ""] = brought.ids;
  const path = `baremetal_instances/${id}/maintenance`;
  const early = await site.api("POST", path, { consent: "now" });
  expect(early.body.message).toMatch(/nothing is asked for 'db-1' that needs consent$/);
  await askFor(site, brought);
  const first = await installedAt(site, brought);
  await site.laptop.pass(2 * 60 * 60_000);
  expect(await installedAt(site, brought)).toEqual(first);

  const begun = await say(site, brought, "now");
  expect(begun.status.operation).toEqual(expect.any(String));
  expect(begun.status.state).toMatch(/_STARTING$/);
  await expectAsBefore(site, brought);
  const second = await installedAt(site, brought);
  for (const [n, at] of second.entries()) expect(at > (first[n] ?? "")).toBe(true);

  await askFor(site, brought);
  await say(site, brought, "on_restart");
  await site.laptop.pass(60 * 60_000);
  expect(await installedAt(site, brought)).toEqual(second);
  const restart = await site.api("PATCH", `baremetal_instances/${id}`, {
    spec: { restart_trigger: 1 },
  });
  expect(restart.status, JSON.stringify(restart.body)).toBe(200);
  await expectAsBefore(site, brought);
  expect((await serverOf(site, id)).status.restart_trigger).toBe(1);
  const third = await installedAt(site, brought);
  for (const [n, at] of third.entries()) expect(at > (second[n] ?? "")).toBe(true);

  await askFor(site, brought);
  const now = site.laptop.clock.now();
  const hour = 60 * 60_000;
  const at = (hours: number) => new Date(now + hours * hour).toISOString();
  for (const [more, field] of [
    [{}, "from"],
    [{ from: at(1) }, "until"],
    [{ from: at(-2), until: at(-1) }, "until"],
  ] as const) {
    const wrong = await site.api("POST", path, { consent: "window", ...more });
    expect(wrong.body.message).toMatch(new RegExp(`^validation failed: ${field}: `));
  }
  const given = await say(site, brought, "window", { from: at(2), until: at(3) });
  expect(given.status.repair).toMatchObject({ consent: "window", from: at(2), until: at(3) });
  await say(site, brought, "none");
  await site.laptop.pass(2.5 * hour);
  expect(await installedAt(site, brought)).toEqual(third);
  await say(site, brought, "window", { from: at(4), until: at(5) });
  await site.laptop.pass(1.4 * hour);
  expect(await installedAt(site, brought)).toEqual(third);
  await site.laptop.pass(hour);
  for (const [n, last] of (await installedAt(site, brought)).entries())
    expect(last > (third[n] ?? "")).toBe(true);
  await expectAsBefore(site, brought);
});

it("end with what was expected and seen where a DPU does not come back, and are tried again when asked", async () => {
  const { site, brought } = await siteAfter(twoServers);
  const [id = ""] = brought.ids;
  const { name } = (await hostOf(site, brought.host)).metadata;
  const dead = `bmc:${dpuName(Number(/\d+$/.exec(name)?.[0]), 1)}`;
  site.world.faults.add({ target: dead, fault: "error", count: 0 });
  await askFor(site, brought);
  await say(site, brought, "now");
  const failed = await rested(site, id);
  expect(conditionOf(failed, "RESTART_FAILED").message).toMatch(/expected DPU server-\d-dpu-1 /);
  expect(conditionOf(failed, "MAINTENANCE").reason).toBe("RepairFailed");
  expect(failed.status.state).toMatch(/_STOPPED$/);
  expect(conditionOf(failed, "READY").reason).toBe("Stopped");
  await site.laptop.pass(60 * 60_000);
  expect((await serverOf(site, id)).status.operation).toBeUndefined();
  // A restart is another try of the repair, since its DPU carries nothing; the image would be loaded over that.
  const trigger = (to: number) =>
    site.api("PATCH", `baremetal_instances/${id}`, { spec: { restart_trigger: to } });
  expect((await site.api("POST", `baremetal_instances/${id}/reinstall`)).body.detail).toMatch(
    /cannot be reinstalled: the repair of its host has failed; a restart tries that again/,
  );
  expect((await trigger(1)).status).toBe(200);
  const again = await rested(site, id);
  expect(conditionOf(again, "READY").reason).toBe("Stopped");
  expect(conditionOf(again, "CONFIGURATION_APPLIED").status).toBe("CONDITION_STATUS_FALSE");
  expect(conditionOf(again, "MAINTENANCE").reason).toBe("RepairFailed");
  // Mended: the consent that was given holds when the provider asks again.
  site.world.faults.clear();
  expect((await site.admin("POST", `hosts/${brought.host}/reprovision`)).status).toBe(200);
  await site.laptop.until(
    async () => conditionOf(await serverOf(site, id), "MAINTENANCE").reason === "NoMaintenance",
    "the repair to end",
  );
  await expectAsBefore(site, brought);
});

it("wait for their host to be given back where a DPU is another by now, and the list of attention says so", async () => {
  const { site, brought } = await siteAfter(twoServers);
  const [id = ""] = brought.ids;
  const { name } = (await hostOf(site, brought.host)).metadata;
  const dpu = dpuName(Number(/\d+$/.exec(name)?.[0]), 1);
  const operation = "another server";
  site.world.faults.add({ target: `bmc:${dpu}`, operation, fault: "hold", count: 0 });
  await askFor(site, brought);
  await say(site, brought, "now");
  await rested(site, id);
  const { attention } = (await site.admin("GET", "status")).body;
  expect(attention).toContainEqual(
    expect.objectContaining({
      ...{ reason: "DpuQuarantined", name: dpu },
      message: expect.stringMatching(
        `^BootInstaller: expected the server with .* or accept the new identity; possible once its host ${name}, held by baremetal_instance '${id}', is released$`,
      ),
    }),
  );
});

it("are installed before the host is on again, once it is tried again that was given back with one that was not", async () => {
  const { site, brought } = await siteAfter(twoServers);
  const [id = ""] = brought.ids;
  const { metadata, spec } = await hostOf(site, brought.host);
  const dead = `bmc:${dpuName(Number(/\d+$/.exec(metadata.name)?.[0]), 1)}` as const;
  const power = () => site.world.bmcs.machines.get(hostId(metadata.name))?.power;
  site.world.faults.add({ target: dead, fault: "error", count: 0 });
  await askFor(site, brought);
  await say(site, brought, "now");
  await rested(site, id);
  const subnets: Wire[] = (await site.api("GET", "subnets")).body.items;
  for (const each of brought.ids)
    expect((await site.api("DELETE", `baremetal_instances/${each}`)).status).toBe(200);
  for (const each of brought.ids) expect(await rested(site, each)).toBeUndefined();
  await untilHost(site, brought.host, "QUARANTINED");
  const retry = async () =>
    expect((await site.admin("POST", `hosts/${brought.host}/retry`)).status).toBe(200);
  await retry();
  await site.laptop.until(async () => {
    const { operation, server } = (await hostOf(site, brought.host)).status;
    return operation === undefined && server.quarantine?.step === "ProvisionDpus";
  }, "the host to be set aside again");
  const { quarantine } = (await hostOf(site, brought.host)).status.server;
  expect(quarantine.reason).toMatch(/^expected DPU server-\d-dpu-1 to be provisioned; /);
  expect(power()).toBe("Off");

  // Nobody knows what it carries still, so its network is not given back.
  const [subnet] = subnets;
  expect((await site.api("DELETE", `subnets/${subnet.id}`)).status).toBe(200);
  await site.laptop.pass(60 * 60_000);
  const { waiting } = (await site.api("GET", `subnets/${subnet.id}`)).body.status;
  expect(waiting[0].message).toMatch(/ to report that it has removed everything of it$/);

  site.world.faults.clear();
  await retry();
  expect(await atRest(site, "subnets", subnet.id)).toBeUndefined();
  await untilHost(site, brought.host, "AVAILABLE");
  expect(spec.dpus).toBe(2);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("wait no more when the window is over, or the server is deleted", async () => {
  const { site, brought } = await siteAfter(twoServers);
  const [id = ""] = brought.ids;
  await askFor(site, brought);
  const at = (minutes: number) =>
    new Date(site.laptop.clock.now() + minutes * 60_000).toISOString();
  // Something else works on the server all the time of the window.
  site.world.faults.add({ target: "bmc", operation: "power", fault: "hold", count: 0 });
  await say(site, brought, "window", { from: at(10), until: at(20) });
  const spec = { restart_trigger: 1 };
  expect((await site.api("PATCH", `baremetal_instances/${id}`, { spec })).status).toBe(200);
  await site.laptop.pass(30 * 60_000);
  expect(conditionOf(await serverOf(site, id), "MAINTENANCE").reason).toBe("ConsentAwaited");
  site.world.faults.clear();
  await rested(site, id);
  await say(site, brought, "now");
  await site.laptop.pass(5 * 60_000);
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  expect(await rested(site, id)).toBeUndefined();
  await untilHost(site, brought.host, "AVAILABLE");
  expect((await hostOf(site, brought.host)).status).not.toHaveProperty("reinstall");
  expect(await wrongInBooks(site)).toEqual([]);
});
