import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tagTextOf } from "../../core/ports/owner.ts";
import { type DevProcess, operationIn, until } from "../support/dev-process.ts";
import { addServer, register } from "./servers.ts";

/** What is wrong outside in the world in which screens are looked at, for as long as its faults are there. */

/** A record in the site's zone that says it is a cluster's of which Slipway knows nothing. */
export async function leaveOrphan({ data, admin }: DevProcess): Promise<void> {
  const site = readFileSync(join(data, "site.sh"), "utf8");
  const value = (name: string) => new RegExp(`^${name}='(.*)'$`, "m").exec(site)?.[1] ?? "";
  const content = tagTextOf({ kind: "cluster", id: "seen-orphan", tenant: "tenant-a" });
  const rrset = {
    ...{ name: "api.seen-orphan.example.com.", type: "A", ttl: 60, changetype: "REPLACE" },
    records: [{ content: "198.51.100.77", disabled: false }],
    comments: [{ content, account: "slipway" }],
  };
  const { ok, status } = await fetch(
    `${value("dns_url")}/api/v1/servers/localhost/zones/example.com.`,
    {
      method: "PATCH",
      headers: { "X-API-Key": value("dns_key"), "content-type": "application/json" },
      body: JSON.stringify({ rrsets: [rrset] }),
    },
  );
  if (!ok) throw new Error(`the record was refused: ${status}`);
  await until(async () => {
    const { orphans } = (await admin("GET", "sites/site-1")).body.status;
    return orphans?.count > 0;
  }, "the orphan");
}

/** A network, and this server, that the fabric refuses to let go. Answers the network's id. */
export async function keptByFabric(process: DevProcess, server: string): Promise<string> {
  const { api, sim, ended, succeeded } = process;
  const order = { metadata: { name: "seen-stuck" }, spec: { ipv4_cidr: "10.50.0.0/16" } };
  const { headers, body } = await api("POST", "virtual_networks", order);
  await succeeded(operationIn(headers));
  const refusal = { target: "fabric", operation: "DELETE", fault: "error", status: 400, count: 0 };
  await sim("POST", "faults", refusal);
  for (const path of [`virtual_networks/${body.id}`, `baremetal_instances/${server}`]) {
    const removal = await api("DELETE", path);
    const { status } = await ended(operationIn(removal.headers));
    if (status.state !== "OPERATION_STATE_STUCK") throw new Error(JSON.stringify(status));
  }
  return String(body.id);
}

/** A host that is being discovered, and its controller does not answer. Answers its id. */
export async function waitingHost(process: DevProcess, name: string): Promise<string> {
  const { sim, admin } = process;
  const host = await addServer(process, name, 3);
  await sim("POST", "faults", { target: `bmc:${name}`, fault: "error", status: 503, count: 0 });
  const id = await register(process, host);
  await until(async () => {
    const { waiting } = (await admin("GET", `hosts/${id}`)).body.status;
    return waiting?.[0] !== undefined;
  }, "a host that waits for its controller");
  return id;
}

/** A host that is set aside, since its controller refuses what it is asked. Answers its id. */
export async function brokenHost(
  process: DevProcess,
  name: string,
  password: string,
): Promise<string> {
  const { sim, admin } = process;
  const host = await addServer(process, name, 4);
  await sim("POST", "faults", { target: `bmc:${name}`, fault: "error", status: 400, count: 0 });
  const id = await register(process, host, password);
  await until(async () => {
    const { state } = (await admin("GET", `hosts/${id}`)).body.status;
    return state === "HOST_STATE_QUARANTINED";
  }, "a host that is set aside");
  return id;
}

/** A hub does not answer from now on, and Slipway has noticed. */
export async function hubAway({ sim, admin }: DevProcess, id: string): Promise<void> {
  await sim("POST", "faults", { target: `hub:${id}`, fault: "error", status: 503, count: 0 });
  await until(async () => {
    const { state } = (await admin("GET", `hubs/${id}`)).body.status;
    return state === "HUB_STATE_UNREACHABLE";
  }, "a hub that is unreachable");
}

/** Slipway has noticed that the fabric of the site is unreachable. */
export const fabricMissed = ({ admin }: DevProcess): Promise<void> =>
  until(async () => {
    const { systems = [] } = (await admin("GET", "sites/site-1")).body.status;
    return systems.some((each: { away_since?: string }) => each.away_since !== undefined);
  }, "a site whose fabric is unreachable");
