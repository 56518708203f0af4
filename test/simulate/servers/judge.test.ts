import { expect, it, onTestFinished } from "vitest";
import { hours, minutes } from "../../../core/clock.ts";
import type { Context, StepDeps } from "../../../core/kernel/saga/context.ts";
import type { Sagas } from "../../../core/kernel/saga/settle.ts";
import type { Host } from "../../../core/placement/pool/host.ts";
import type { BareMetalServer } from "../../../core/ports/bare-metal/server.ts";
import { Requests } from "../../../simulate/requests.ts";
import type { ServerCounts } from "../../../simulate/servers/hardware.ts";
import type { MachineTrouble } from "../../../simulate/servers/plan.ts";
import { ServersRun } from "../../../simulate/servers/run.ts";
import { openSystem } from "../../../simulate/system.ts";
import { sagas } from "../../../statemachines/index.ts";
import { rewired } from "../../support/matrix/states.ts";
import { controllerOf } from "../../support/servers.ts";

/** What the judge of tenants' servers finds where isolation, or the erasure, is broken. */

const size = { sites: 1, hubsAtSite: 1, hostsAtHub: {}, servers: { plain: 0, withDpus: 2 } };

type Act = (host: Host, context: Pick<Context<StepDeps>, "deps">) => Promise<void>;

/** The sagas with other actions for steps of these names, which are done at once. */
const brokenBy = (acts: Readonly<Record<string, Act>>): Sagas =>
  Object.keys(sagas).reduce(
    (all, name) =>
      rewired(all, name, (step, action) => {
        const { look: _, until: __, ...rest } = action;
        const act = acts[step];
        return act ? { ...rest, act } : action;
      }),
    sagas,
  );

const nothing: Act = async () => {};

/** Approves the agent without a look at what it has found. */
const admitUnseen: Act = async ({ metadata, spec, status }, { deps }) => {
  const { agents } = await deps.hubs.client(spec.hub);
  await agents.admit(status.agent?.name ?? "", { name: metadata.name, hostType: spec.host_type });
};

/** Two tenants have a server each, then one of them gives it back and another is ordered. */
async function judged(broken: Readonly<Record<string, Act>>) {
  const system = await openSystem({ seed: 1, faults: 0, size, sagas: brokenBy(broken) });
  onTestFinished(() => system.stop());
  const { clock } = system;
  const told = { seed: 1, within: 1, deadDpus: 0 };
  const run = new ServersRun(told, system, new Requests(system));
  system.onRelayed((record) => run.see(record));
  await run.begin((ms) => clock.advance(ms));
  const order = (order: number, tenant: string) =>
    run.arrive({
      ...{ what: "server", order, tenant, sort: "withDpus", hasOwnNetwork: false },
      ...{ isOutside: true, at: 0, draw: 0 },
    });
  await order(1, "tenant-a");
  await order(2, "tenant-a");
  await clock.advance(minutes(40));
  const reached = run.outcome().arrived;
  await run.requests.change(
    { at: 0, order: 1, draw: 0, what: "server change", change: "delete" },
    "delete",
  );
  await clock.advance(minutes(60));
  await order(3, "tenant-b");
  await clock.advance(minutes(40));
  return { ...run.outcome(), reached };
}

it("finds packets that reach a server which its tenant has given back, where nothing isolates it", async () => {
  const { crossed, reached, cameIn } = await judged({
    "Undo LeadExternalIp": nothing,
    "Undo AttachHost": nothing,
    "Undo BootImage": nothing,
    PowerOff: nothing,
  });
  // Of servers of one tenant, as they are to.
  expect(reached).toBeGreaterThan(0);
  expect(crossed.join("\n")).toMatch(/a packet of \S+ \(tenant-a\) reaches \S+, which nobody has/);
  // And from outside.
  expect(cameIn).toBeGreaterThan(0);
  expect(crossed.join("\n")).toMatch(/a packet for 203\.0\.113\.\d+ reaches \S+, which nobody has/);
});

/** A host as the private API answers it. */
interface ReadHost {
  spec: { host_type: string };
  status: { state: string; identity: { known: { accepted_by?: string } } };
}

/** One server, and what is done with it, in a world where nothing goes wrong by itself. */
async function oneServer(servers: ServerCounts = { plain: 1, withDpus: 0 }) {
  const alone = { ...size, servers };
  const system = await openSystem({ seed: 1, faults: 0, size: alone });
  onTestFinished(() => system.stop());
  const run = new ServersRun({ seed: 1, within: 1, deadDpus: 0 }, system, new Requests(system));
  system.onRelayed((record) => run.see(record));
  await run.begin((ms) => system.clock.advance(ms));
  const trouble = (trouble: MachineTrouble, draw = 1) =>
    run.arrive({ what: "machine trouble", trouble, order: 0, at: 0, draw });
  const order = () =>
    run.arrive({
      ...{ what: "server", order: 1, tenant: "tenant-a", hasOwnNetwork: false },
      ...{ sort: servers.plain > 0 ? "plain" : "withDpus", isOutside: false, at: 0, draw: 0 },
    });
  const hosts = async (type = "metal"): Promise<ReadHost[]> =>
    (await system.administer("GET", "hosts")).body.items.filter(
      ({ spec }: ReadHost) => spec.host_type === type,
    );
  const [server] = (system.worlds.sites[0]?.world.hosts() ?? []).filter((each) => each.server);
  if (!server) throw new Error("there is no server");
  return { system, run, trouble, order, hosts, server };
}

it.each([
  ["another server is at its address", "retry", undefined],
  ["a mainboard is replaced", "accept_identity", "root"],
] as const)("has a person look after a host where %s: %s", async (what, verb, accepted_by) => {
  const { system, run, trouble, order, hosts } = await oneServer();
  await trouble(what);
  await order();
  await system.clock.advance(hours(5));
  const { reasons, repairs, touched } = run.outcome();
  expect(Object.keys(reasons).join()).toContain("expected the server with serial number");
  expect(repairs).toMatchObject({ [`${verb} of hosts`]: expect.any(Number) });
  expect(touched).toEqual([]);
  const [host] = await hosts();
  const { state, identity } = host?.status ?? {};
  expect(state).toBe("HOST_STATE_AVAILABLE");
  expect(identity?.known.accepted_by).toBe(accepted_by);
  expect(identity).not.toHaveProperty("other");
});

it.each([
  ["switched off", (server: BareMetalServer) => server.powerOff("forced")],
  ["told to boot from a medium", (server: BareMetalServer) => server.bootOnce({ from: "media" })],
  ["shown an image", (server: BareMetalServer) => server.insertMedia("http://images.test/a.iso")],
])("finds another server than the known one that is %s", async (_, touch) => {
  const { system, run, trouble, server } = await oneServer();
  await trouble("another server is at its address");
  expect(run.outcome().touched).toEqual([]);
  const world = system.worlds.sites[0]?.world;
  if (!world) throw new Error("there is no site");
  await system.clock.until(touch(controllerOf(world, system.clock, server)));
  await system.clock.advance(minutes(2));
  // What was done is not forgotten when the server is as it was.
  await system.clock.until(controllerOf(world, system.clock, server).powerOn());
  expect(run.outcome().touched).toEqual([expect.stringContaining("was touched")]);
});

it("touches neither of two servers whose cables are swapped, and has both again once they are not", async () => {
  const { system, run, trouble, order, hosts } = await oneServer({ plain: 2, withDpus: 0 });
  await trouble("two cables are swapped");
  await order();
  await system.clock.advance(hours(5));
  const { reasons, touched } = run.outcome();
  expect(Object.keys(reasons).join()).toMatch(
    /its controller tells serial number SN-METAL|controller has no system \S+, which its address names/,
  );
  expect(touched).toEqual([]);
  const states = (await hosts()).map(({ status }) => status.state);
  expect(states).toEqual(["HOST_STATE_AVAILABLE", "HOST_STATE_AVAILABLE"]);
});

it("finds a change of a host's server that was asked for at the address of another", async () => {
  const { system, run, trouble } = await oneServer({ plain: 2, withDpus: 0 });
  await trouble("two cables are swapped");
  const world = system.worlds.sites[0]?.world;
  if (!world) throw new Error("there is no site");
  const [one, other] = world.hosts().filter((each) => each.server);
  if (!one || !other) throw new Error("there are not two servers");
  const address = one.bmc.address.replace(/(?<=bmc).*/, new URL(other.bmc.address).pathname);
  await system.clock.until(
    controllerOf(world, system.clock, { ...one, bmc: { address } }).powerOff("forced"),
  );
  expect(run.outcome().touched).toEqual([
    expect.stringMatching(/^metal-1a-\d was touched at the address of metal-1a-\d: POST /),
  ]);
});

it("has a person accept the new mainboard of a DPU, and try its host again, once its tenant has given it back", async () => {
  const { system, run, trouble, order, hosts } = await oneServer({ plain: 0, withDpus: 1 });
  const own = { order: 1, at: 0, draw: 0 };
  await order();
  await system.clock.advance(hours(1));
  // Of a DPU.
  await trouble("a mainboard is replaced", 100056);
  await run.arrive({ what: "host maintenance", wish: "reprovision", ...own });
  await run.arrive({ what: "server change", change: "consent to a repair", ...own });
  await system.clock.advance(hours(2));
  await run.arrive({ what: "server change", change: "delete", ...own });
  await system.clock.advance(hours(8));
  const { repairs, touched } = run.outcome();
  expect(repairs).toEqual({ "accept_identity of dpus": 1, "retry of hosts": expect.any(Number) });
  expect(touched).toEqual([]);
  const states = (await hosts("metal-dpu")).map(({ status }) => status.state);
  expect(states).toEqual(["HOST_STATE_AVAILABLE"]);
});

it("finds a server that is given on unwiped, where nothing erases it", async () => {
  const { unwiped } = await judged({ EraseDrives: nothing, AdmitAgent: admitUnseen });
  expect(unwiped).toEqual([
    expect.stringMatching(/^host \S+ is given to \S+ with data of instance /),
  ]);
});
