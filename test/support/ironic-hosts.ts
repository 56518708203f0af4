import { metal } from "./managed-hosts.ts";
import { newServer } from "./servers.ts";
import type { Site, Wire } from "./site.ts";

/** Hosts of a site whose servers an Ironic manages. */

/** Gives the seeded site the Ironic of its world. */
export async function withIronic(site: Site): Promise<void> {
  const { ironic, ironicUrl: url } = site.world;
  const { username, password } = ironic.credential;
  const spec = {
    bare_metal: { provider: "ironic", url, username },
    secrets: { bare_metal: password },
  };
  const { status, body } = await site.admin("PATCH", "sites/site-1", { spec });
  if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`);
}

export const nodeName = (number: number): string => `node-${number}`;

/** Asks the Ironic of a site's world as a person does. Answers the body, if there is one. */
export async function askIronic(
  site: Site,
  method: string,
  path: string,
  body?: object,
): Promise<Wire> {
  const { username, password } = site.world.ironic.credential;
  const headers = {
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
    "content-type": "application/json",
    "x-openstack-ironic-api-version": "1.93",
  };
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const reply = await site.world.fetch(`${site.world.ironicUrl}${path}`, sent);
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Puts a server that is off into the world, and enrols it as a node. */
export async function addNode(site: Site, number: number, name = nodeName(number)): Promise<void> {
  const server = { ...newServer(`server-${number}`, number), host_type: metal };
  const { bmc, nics } = site.world.addHost(server);
  const { uuid } = await askIronic(site, "POST", "/v1/nodes", {
    ...{ name, driver: "redfish" },
    driver_info: { redfish_address: `https://${new URL(bmc.address).host}` },
  });
  for (const { mac: address } of nics)
    await askIronic(site, "POST", "/v1/ports", { node_uuid: uuid, address });
}

/** Registers the server of a node as a host. Answers its id. */
export async function addNodeHost(site: Site, number: number): Promise<string> {
  const { nics } = newServer(`server-${number}`, number);
  const bmc = { address: `ironic:${nodeName(number)}` };
  const spec = { host_type: metal, hub: "hub-a", bmc, nics };
  const body = { metadata: { name: `server-${number}` }, spec };
  const made = await site.admin("POST", "hosts", body);
  if (made.status !== 200) throw new Error(`refused: ${JSON.stringify(made.body)}`);
  return made.body.id;
}
