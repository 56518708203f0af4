import { expect } from "vitest";
import type { VendorName } from "../../sim/bmc/profiles.ts";
import { hostId, type NewHost } from "../../sim/host.ts";
import { newServer } from "./servers.ts";
import type { Site, Wire } from "./site.ts";

/** Hosts of a site whose power Slipway manages. */

/** The type of the servers, which no other machine has. */
export const metal = "metal";

/** Has a type for the servers, and a template of clusters of one of them. */
export async function withMetal(site: Site, hardware: object = {}): Promise<void> {
  const type = { id: metal, metadata: { name: metal }, hardware };
  const template = {
    ...{ id: metal, metadata: { name: metal }, allowed_host_types: [metal] },
    node_sets: { workers: { host_type: metal, size: 1 } },
  };
  for (const [path, body] of [
    ["host_types", type],
    ["cluster_templates", template],
  ] as const) {
    const { status, body: said } = await site.admin("POST", path, body);
    if (status !== 200) throw new Error(`refused: ${JSON.stringify(said)}`);
  }
}

/** Has hosts without DPUs boot the discovery image from the network of free hosts. */
export async function bootFromNetwork(site: Site): Promise<void> {
  const spec = { machines: { discovery_boot: "network" } };
  const { status, body } = await site.admin("PATCH", "sites/site-1", { spec });
  if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`);
}

interface ServerOptions {
  vendor?: VendorName;
  drives?: NonNullable<NewHost["server"]>["drives"];
  /** What its controller tells of itself. */
  names?: { serial?: string; uuid?: string };
  /** Its serial number by the inventory. */
  serial?: string;
  /** Whether its controller wants sessions, and its host says so. */
  sessions?: "wanted" | "wanted and told";
}

/** Puts a server that is off into the world, and registers it as a host. Answers the host's id. */
export async function addServer(
  site: Site,
  number: number,
  { vendor = "dell", drives, sessions, names, serial }: ServerOptions = {},
): Promise<string> {
  const { server, ...host } = {
    ...newServer(`server-${number}`, number, vendor),
    host_type: metal,
  };
  const hasSessionsOnly = sessions !== undefined && { hasSessionsOnly: true as const };
  const machine = { vendor, ...server, ...names, ...hasSessionsOnly, ...(drives && { drives }) };
  site.world.addHost({ ...host, server: machine });
  const { name, bmc, ...spec } = host;
  const { username, password } = site.world.bmcs.credential;
  const authentication = sessions === "wanted and told" && { authentication: "session" };
  const given = { ...bmc, username, password, ...authentication };
  const listed = serial !== undefined && { serial };
  const body = { metadata: { name }, spec: { ...spec, ...listed, bmc: given } };
  const { status, body: made } = await site.admin("POST", "hosts", body);
  if (status !== 200) throw new Error(`the host was refused: ${JSON.stringify(made)}`);
  return made.id;
}

export const hostOf = async (site: Site, id: string): Promise<Wire> =>
  (await site.admin("GET", `hosts/${id}`)).body;

/** Runs until a host is in this state. */
export function untilHost(site: Site, id: string, state: string): Promise<void> {
  const isThere = async () => (await hostOf(site, id)).status.state === `HOST_STATE_${state}`;
  return site.laptop.until(isThere, `host ${id} to be ${state}`);
}

/** Brings a site to one server, discovered and free. Answers its host's id. */
export async function freeServer(site: Site): Promise<string> {
  await withMetal(site);
  const id = await addServer(site, 1);
  await untilHost(site, id, "AVAILABLE");
  return id;
}

/** The reason of a host that was set aside because no start has brought its agent. */
export const noAgent =
  /^expected an agent with the host's MAC addresses on the hub hub-a within 30 minutes of a start; after 3 starts, none has reported$/;

/** The host is set aside for that, as the step says that starts it. */
export async function expectNoAgent(site: Site, id: string): Promise<void> {
  const { message, server } = (await hostOf(site, id)).status;
  expect(message).toMatch(noAgent);
  expect(server.quarantine).toMatchObject({ step: "BootDiscoveryImage", reason: message });
}

/** The machine of the server of this number, as its controller sees it. */
export const machineOf = (site: Site, number: number) => {
  const machine = site.world.bmcs.machines.get(hostId(`server-${number}`));
  if (!machine) throw new Error(`there is no server ${number}`);
  return machine;
};
