import { expect, it } from "vitest";
import { tenantScript } from "../../sim/net-boot/files.ts";
import { wrongInBooks } from "../support/books.ts";
import { askForServer, oneServer, orderServer, serverOf } from "../support/instances.ts";
import { hostOf, machineOf, untilHost } from "../support/managed-hosts.ts";
import { atRest } from "../support/networks.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site, Wire } from "../support/site.ts";

/** How a tenant's server comes to run its image: from the network, observed, and started again by a rule. */

const rested = (site: Site, id: string) => atRest(site, "baremetal_instances", id);

async function withServer(spec: object = {}): Promise<{ site: Site; id: string; host: string }> {
  const {
    site,
    brought: { hosts },
  } = await siteAfter(oneServer);
  const id = await orderServer(site, "db-1", spec);
  return { site, id, host: hosts[0] ?? "" };
}

const conditionsOf = ({ status }: Wire): Record<string, string> =>
  Object.fromEntries(
    status.conditions.map(({ type, status }: Wire) => [
      type.replace("BARE_METAL_INSTANCE_CONDITION_TYPE_", ""),
      status.replace("CONDITION_STATUS_", ""),
    ]),
  );

const stateOf = ({ status }: Wire): string =>
  status.state.replace("BARE_METAL_INSTANCE_STATE_", "");

const patch = async (site: Site, id: string, spec: object): Promise<void> => {
  const { status, body } = await site.api("PATCH", `baremetal_instances/${id}`, { spec });
  expect(status, JSON.stringify(body)).toBe(200);
};

/** The steps of the last operation, each with its state and error. */
async function stepsOf(site: Site, id: string): Promise<Wire[]> {
  return (await site.settled(id)).status.steps;
}

it("runs a tenant's own script, which is told of the seed, and counts as started as the order says", async () => {
  const image = { source_type: "ipxe", source_ref: tenantScript };
  const { site, id } = await withServer({ image: { ...image, phone_home: true } });
  site.world.faults.add({ target: "bmc:server-1", operation: "phone home", fault: "hold" });
  await site.laptop.pass(20 * 60_000);
  const { status } = await serverOf(site, id);
  expect(status.waiting[0].message).toBe("the instance to report its start");
  site.world.faults.clear();
  const server = await rested(site, id);
  expect([stateOf(server), server.spec.image]).toEqual(["RUNNING", { ...image, phone_home: true }]);
  expect(server.status.hostname ?? server.metadata.name).toBe("db-1");

  const osac = { Accept: "application/json;profile=osac" };
  const { body } = await site.api("GET", `baremetal_instances/${id}`, undefined, osac);
  expect(body.spec.image).toEqual(image);

  const silent = await withServer({ image });
  const hold = { operation: "phone home", fault: "hold", count: 0 } as const;
  silent.site.world.faults.add({ target: "bmc:server-1", ...hold });
  expect(stateOf(await rested(silent.site, silent.id))).toBe("RUNNING");

  const wrong = await askForServer(site, "db-2", {
    image: { source_type: "registry", source_ref: "quay.io/x", phone_home: true },
  });
  expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([
    400,
    expect.stringContaining("spec.image.phone_home"),
  ]);
});

it("is READY once its system has reported, and never before", { tags: "smoke" }, async () => {
  const { site, id } = await withServer();
  site.world.faults.add({ target: "bmc:server-1", operation: "phone home", fault: "hold" });
  await site.laptop.pass(20 * 60_000);
  const waiting = await serverOf(site, id);
  expect(stateOf(waiting)).toBe("PROVISIONING");
  expect(conditionsOf(waiting)).toMatchObject({ READY: "FALSE", PROVISIONED: "FALSE" });
  expect(waiting.status.waiting[0].message).toBe("the instance to report its start");
  site.world.faults.clear();
  const server = await rested(site, id);
  expect(stateOf(server)).toBe("RUNNING");
  expect(conditionsOf(server)).toEqual({
    MAINTENANCE: "FALSE",
    PROVISIONED: "TRUE",
    CONFIGURATION_APPLIED: "TRUE",
    READY: "TRUE",
    RESTART_IN_PROGRESS: "FALSE",
    RESTART_FAILED: "FALSE",
    RESTART_REQUIRED: "FALSE",
  });
  expect(machineOf(site, 1).drives.map(({ written }) => written)).toEqual(
    machineOf(site, 1).drives.map(() => `instance ${id}`),
  );
  expect(await wrongInBooks(site)).toEqual([]);
});

it("restarts when the trigger changes, and says so when it is up again", async () => {
  const { site, id } = await withServer();
  await rested(site, id);
  const { bootedAt: before = 0 } = machineOf(site, 1);
  await patch(site, id, { restart_trigger: 1 });
  await site.laptop.pass(5000);
  const under = await serverOf(site, id);
  expect(stateOf(under)).toBe("STARTING");
  expect(conditionsOf(under)).toMatchObject({
    ...{ READY: "FALSE", RESTART_IN_PROGRESS: "TRUE", PROVISIONED: "TRUE" },
    CONFIGURATION_APPLIED: "FALSE",
  });
  const server = await rested(site, id);
  expect(stateOf(server)).toBe("RUNNING");
  expect(server.status.restart_trigger).toBe(1);
  expect(conditionsOf(server)).toMatchObject({ READY: "TRUE", RESTART_IN_PROGRESS: "FALSE" });
  expect(machineOf(site, 1).bootedAt).toBeGreaterThan(before);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("is shut down and started as its tenant has it, with the same disk", async () => {
  const { site, id } = await withServer();
  await rested(site, id);
  await patch(site, id, { run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED" });
  await site.laptop.pass(2000);
  expect(stateOf(await serverOf(site, id))).toBe("STOPPING");
  const off = await rested(site, id);
  expect(stateOf(off)).toBe("STOPPED");
  expect(conditionsOf(off)).toMatchObject({ READY: "FALSE", RESTART_FAILED: "FALSE" });
  expect(machineOf(site, 1).power).toBe("Off");
  expect(await wrongInBooks(site)).toEqual([]);
  await patch(site, id, { run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS" });
  const on = await rested(site, id);
  expect(stateOf(on)).toBe("RUNNING");
  expect(machineOf(site, 1)).toMatchObject({ power: "On", booted: { from: "disk" } });
  expect(await wrongInBooks(site)).toEqual([]);
});

it("ordered halted, it is installed and then shut down", async () => {
  const { site, id } = await withServer({
    run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED",
  });
  expect(stateOf(await rested(site, id))).toBe("STOPPED");
  expect(machineOf(site, 1).power).toBe("Off");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("is installed anew when its tenant asks for it, with another token", async () => {
  const { site, id } = await withServer();
  await rested(site, id);
  const tokens = () => [...site.secrets].filter(([reference]) => reference.startsWith("machine/"));
  const before = tokens();
  const again = () => site.api("POST", `baremetal_instances/${id}/reinstall`);
  expect((await again()).status).toBe(200);
  expect((await again()).body.detail).toMatch(/cannot be reinstalled: operation '.*' works on it$/);
  await site.laptop.pass(5000);
  expect(conditionsOf(await serverOf(site, id))).toMatchObject({ READY: "FALSE" });
  const server = await rested(site, id);
  expect(stateOf(server)).toBe("RUNNING");
  expect(conditionsOf(server)).toMatchObject({ READY: "TRUE", RESTART_IN_PROGRESS: "FALSE" });
  expect(tokens()).toHaveLength(1);
  expect(tokens()).not.toEqual(before);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("boots again when nobody gave it an address, and goes on when somebody does", async () => {
  const { site, id } = await withServer();
  site.world.faults.add({ target: "bmc:server-1", operation: "address", fault: "hold" });
  await site.laptop.until(
    async () => /start 2 of 6/.test((await serverOf(site, id)).status.waiting?.[0]?.message ?? ""),
    "another start",
  );
  site.world.faults.clear();
  expect(stateOf(await rested(site, id))).toBe("RUNNING");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("after its last start it says what was expected and what was seen, and nothing is left", async () => {
  const { site, id, host } = await withServer();
  site.world.faults.add({ target: "bmc:server-1", operation: "image", fault: "hold" });
  const server = await rested(site, id);
  expect(stateOf(server)).toBe("FAILED");
  expect(server.status.failure.message).toMatch(
    /^expected the instance to report its start within 45 minutes of a start; after 6 starts, it read its seed at \S+ and said nothing more$/,
  );
  const rests = (await stepsOf(site, id)).filter(({ name }) => name === "AwaitPhoneHome");
  expect(rests).toHaveLength(1);
  site.world.faults.clear();
  await untilHost(site, host, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("is let go when its controller is dead: the host is set aside, and says why", async () => {
  const { site, id, host } = await withServer();
  await rested(site, id);
  site.world.faults.add({ target: "bmc:server-1", fault: "timeout", count: 0 });
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  expect(await rested(site, id)).toBeUndefined();
  await untilHost(site, host, "QUARANTINED");
  const { server } = (await hostOf(site, host)).status;
  expect(server.quarantine).toMatchObject({ step: "PowerOff" });
  expect(server.quarantine.reason).toMatch(/^not done within /);
});

it("keeps the token to itself: no record, event, operation or log has it, and it ends with the instance", async () => {
  const { site, id } = await withServer();
  const tokens = new Set<string>();
  const asked: string[] = [];
  const { network } = site.world;
  const controller = network.siteController;
  network.siteController = async (request) => {
    const path = new URL(request.url).pathname;
    const token = /^\/site\/v1\/(?:boot|seed|phone-home)\/([^/]+)/.exec(path)?.[1];
    if (token !== undefined) tokens.add(token);
    asked.push(path);
    return controller ? controller(request) : new Response(null, { status: 503 });
  };
  await rested(site, id);
  const [token = ""] = tokens;
  expect(tokens.size).toBe(1);
  const everywhere = JSON.stringify([...site.laptop.store.items()]);
  expect(everywhere).not.toContain(token);
  expect(JSON.stringify(site.calls)).not.toContain(token);
  // Once it runs, whoever has the token gets nothing by it, above all not the tenant's own data.
  for (const path of ["boot", "boot/ipxe.efi", "seed/user-data"]) {
    const [what = "", ...file] = path.split("/");
    const url = `http://machines.sim/site/v1/${[what, token, ...file].join("/")}`;
    expect((await controller?.(new Request(url)))?.status, path).toBe(404);
  }
  await site.api("DELETE", `baremetal_instances/${id}`);
  await rested(site, id);
  expect(JSON.stringify([...site.laptop.store.items()])).not.toContain(token);
  expect([...site.secrets.values()]).not.toContain(token);
  const answer = await controller?.(new Request(`http://machines.sim/site/v1/boot/${token}`));
  expect(answer?.status).toBe(404);
});
