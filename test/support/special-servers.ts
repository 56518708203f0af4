import { expect } from "vitest";
import type { FaultInput } from "../../sim/faults.ts";
import { hostId } from "../../sim/host.ts";
import { type Agent, read } from "../../sim/operators/objects.ts";
import { wrongInBooks } from "./books.ts";
import { addServer, hostOf, machineOf, metal, untilHost, withMetal } from "./managed-hosts.ts";
import { accepted } from "./matrix/cluster-worlds.ts";
import type { Site, Wire } from "./site.ts";

/**
 * What is special about servers: `server-1` goes wrong in one way while a saga works on it, and `server-2`
 * stands beside it, free.
 */

const target = "bmc:server-1";
const system = "POST /redfish/v1/Systems/System.Embedded.1";
const resets = `${system}/Actions`;

/** The ways in which a server goes wrong. */
export const faults = {
  "a controller that is unreachable": { target, fault: "crash_before", count: 0 },
  "a controller that is unreachable for a while": { target, fault: "crash_before", count: 40 },
  "a controller that says 200 and does nothing": {
    ...{ target, operation: resets, fault: "ignore", count: 0 },
  },
  "a controller that says 200 and does nothing, twice": {
    ...{ target, operation: resets, fault: "ignore", count: 2 },
  },
  "a controller that says 202 and erases nothing": {
    ...{ target, operation: `${system}/Storage`, fault: "ignore", count: 0 },
  },
  "a controller that says 202 and erases nothing, twice": {
    ...{ target, operation: `${system}/Storage`, fault: "ignore", count: 2 },
  },
  "power that does not come": { target, operation: "power", fault: "hold" },
  "its disk booted": { target, operation: "boot", fault: "error", count: 0 },
  "its disk booted, once": { target, operation: "boot", fault: "error" },
  "the image of another hub booted": {
    ...{ target, operation: "boot hub-b", fault: "error", count: 0 },
  },
  "the image of another hub booted, once": { target, operation: "boot hub-b", fault: "error" },
  "no address where it boots": {
    ...{ target: "hub:hub-a", operation: "address server-1", fault: "hold" },
  },
  "the MAC addresses of another host": {
    ...{ target, operation: "mac server-2", fault: "error", count: 0 },
  },
  "the MAC addresses of another host, once": { target, operation: "mac server-2", fault: "error" },
  "disks that refuse to be wiped": { target, operation: "wipe refuses", fault: "hold" },
  "disks that fail at it": { target, operation: "wipe fails", fault: "hold" },
  "disks that say that they are wiped": { target, operation: "wipe lies", fault: "hold" },
} as const satisfies Record<string, FaultInput>;
export type Special = keyof typeof faults;

/** What somebody had written on a server before Slipway knew it. */
const stranger = "a stranger";

async function withBystander(site: Site): Promise<string> {
  await withMetal(site);
  const id = await addServer(site, 2);
  await untilHost(site, id, "AVAILABLE");
  return id;
}

async function withFreeServer(site: Site): Promise<string> {
  await withBystander(site);
  const id = await addServer(site, 1);
  await untilHost(site, id, "AVAILABLE");
  return id;
}

/** The tenant's cluster takes the only server that is free; the bystander comes after. */
async function withUsedServer(site: Site): Promise<string> {
  await withMetal(site);
  const id = await addServer(site, 1);
  await untilHost(site, id, "AVAILABLE");
  const cluster = await site.order("c1", { template: { id: metal } });
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  await untilHost(site, await addServer(site, 2), "AVAILABLE");
  return id;
}

interface Work {
  before(site: Site): Promise<string>;
  /** Has the work begin, and answers the host. */
  start(site: Site, id: string): Promise<string>;
  /** The host's state once all is done. */
  done: "AVAILABLE" | "MAINTENANCE";
}

/** The works on a host. After a tenant it is cleaned, and then discovered. */
export const works = {
  "discovered before its first use": {
    before: withBystander,
    async start(site) {
      const id = await addServer(site, 1);
      site.world.bmcs.machines.write(hostId("server-1"), stranger);
      return id;
    },
    done: "AVAILABLE",
  },
  "cleaned after a tenant": {
    before: withUsedServer,
    async start(site, id) {
      const { owner } = (await hostOf(site, id)).status;
      expect(marksOn(site)).not.toEqual([undefined, undefined]);
      accepted(await site.api("DELETE", `clusters/${owner.id}`));
      return id;
    },
    done: "AVAILABLE",
  },
  "switched off": {
    before: withFreeServer,
    async start(site, id) {
      accepted(await site.admin("POST", `hosts/${id}/maintain`));
      return id;
    },
    done: "MAINTENANCE",
  },
} as const satisfies Record<string, Work>;
export type WorkName = keyof typeof works;

const marksOn = (site: Site) => machineOf(site, 1).drives.map(({ written }) => written);

/** Runs until the host has come to rest: as it should be, or set aside. Answers its status. */
export async function atRest(site: Site, id: string, done: Work["done"]): Promise<Wire> {
  const ends = [`HOST_STATE_${done}`, "HOST_STATE_QUARANTINED"];
  await site.laptop.pass(1000);
  await site.laptop.until(async () => {
    const { state, operation } = (await hostOf(site, id)).status;
    return operation === undefined && ends.includes(state);
  }, "the server at rest");
  await site.laptop.pass(5000);
  return (await hostOf(site, id)).status;
}

/**
 * What holds whatever went wrong, by the simulator's own truth: the books balance, no host is free whose
 * drives have anybody's data or whose agent runs elsewhere, the bystander has seen nothing of it, and no
 * secret stands anywhere but in the secret store.
 */
export async function expectSound(site: Site): Promise<void> {
  expect(await wrongInBooks(site)).toEqual([]);
  const hosts: Wire[] = (await site.admin("GET", "hosts")).body.items.filter(
    ({ spec }: Wire) => spec.host_type === metal || spec.host_type.id === metal,
  );
  expect(hosts).toHaveLength(2);
  for (const { metadata, spec, status } of hosts) {
    const own = hostId(metadata.name);
    if (status.agent?.gone === false) expect(status.agent.name).toBe(own);
    if (status.state !== "HOST_STATE_AVAILABLE") continue;
    const machine = site.world.bmcs.machines.get(own);
    expect(machine?.drives.map(({ written }) => written)).toEqual([undefined, undefined]);
    const found = site.world
      .hub(spec.hub.id ?? spec.hub)
      .cluster.get("Agent", "hardware-inventory", own);
    const inventory = found && read<Agent>(found).status?.inventory;
    expect(inventory?.interfaces.map(({ macAddress }) => macAddress)).toEqual(
      spec.nics.map(({ mac }: Wire) => mac),
    );
  }
  const bystander = hosts.find(({ metadata }) => metadata.name === "server-2");
  expect(bystander?.status).toMatchObject({
    state: "HOST_STATE_AVAILABLE",
    agent: { name: hostId("server-2"), gone: false },
  });
  expectNoSecrets(site);
}

function expectNoSecrets(site: Site): void {
  const { password } = site.world.bmcs.credential;
  const images = [...site.secrets].flatMap(([reference, value]) =>
    reference.includes("image") ? [value] : [],
  );
  expect(images.length).toBeGreaterThan(0);
  const stored = [...site.laptop.store.items()].map((item) => JSON.stringify(item)).join("\n");
  for (const secret of [password, ...images]) expect(stored).not.toContain(secret);
}
