import { mustLoad } from "../../core/kernel/object/records.ts";
import type { Dpu } from "../../core/resources/dpu/model.ts";
import { metal } from "./managed-hosts.ts";
import { recordsIn } from "./records.ts";
import { newServer } from "./servers.ts";
import type { Site } from "./site.ts";

/** Hosts with DPUs. */

/** Neither controllers nor DPUs of the site are heard, until the faults are cleared. */
export function cutOff({ world }: Pick<Site, "world">): void {
  for (const fault of [
    { target: "bmc", fault: "timeout", count: 0 } as const,
    { target: "bmc", operation: "agent", fault: "hold", count: 0 } as const,
  ])
    world.faults.add(fault);
}

/** A host has lost its power: neither its DPUs nor its controller are heard. */
export function withoutPower({ world }: Pick<Site, "world">, number: number): void {
  for (const at of [0, 1])
    world.faults.add({
      ...{ target: `bmc:${dpuName(number, at)}`, operation: "agent" },
      ...{ fault: "hold", count: 0 },
    } as const);
  world.faults.add({ target: `bmc:server-${number}`, fault: "timeout", count: 0 });
}

export const dpuName = (number: number, n: number): string => `server-${number}-dpu-${n}`;

interface Options {
  dpus?: number;
  /** How many more the host has that nobody has registered yet. */
  missing?: number;
  /** The serial number of the DPU with this index, where it is not one of its own. */
  serial?: (n: number) => string;
  /** What the provider has written down of the DPU with this index, where it is not so. */
  registered?: (n: number) => object;
}

/** Puts a server with DPUs into the world, all switched off, and registers them. Answers the ids. */
export async function addServerWithDpus(
  site: Site,
  number: number,
  options: Options = {},
): Promise<{ host: string; dpus: string[] }> {
  const { dpus: count = 2, missing = 0, registered = () => ({}) } = options;
  const { serial = (n: number) => `MT-${number}-${n}` } = options;
  const { server = { vendor: "dell" }, ...host } = {
    ...newServer(`server-${number}`, number),
    host_type: await typeWithDpus(site, count + missing),
  };
  const dpus = Array.from({ length: count }, (_, n) => ({
    name: dpuName(number, n),
    serial: serial(n),
    bmc: { address: `redfish://192.168.${201 + n}.${number}/redfish/v1/Systems/Bluefield` },
    ports: [{ name: "pf0hpf", mac: host.nics[n]?.mac ?? "" }],
  }));
  site.world.addHost({ ...host, server, dpus });
  const { name, bmc, ...spec } = host;
  const login = site.world.bmcs.credential;
  const made = await site.admin("POST", "hosts", {
    metadata: { name },
    spec: { ...spec, dpus: count + missing, bmc: { ...bmc, ...login } },
  });
  if (made.status !== 200) throw new Error(`the host was refused: ${JSON.stringify(made.body)}`);
  const ids: string[] = [];
  for (const [n, { name, serial, bmc, ports }] of dpus.entries()) {
    const { status, body } = await site.admin("POST", "dpus", {
      metadata: { name },
      spec: {
        ...{ host: made.body.id, serial, bmc: { ...bmc, ...login } },
        ports: ports.map(({ name, mac }) => ({ name, host_mac: mac })),
        ...registered(n),
      },
    });
    if (status !== 200) throw new Error(`the DPU was refused: ${JSON.stringify(body)}`);
    ids.push(body.id);
  }
  return { host: made.body.id, dpus: ids };
}

/** The type of servers with so many DPUs, and otherwise with the hardware of all that are simulated. */
async function typeWithDpus(site: Site, dpus: number): Promise<string> {
  const name = `${metal}-${dpus}-dpus`;
  if ((await site.admin("GET", `host_types/${name}`)).status === 200) return name;
  const hardware = { cpus: 64, memory_gib: 512, dpus };
  const made = await site.admin("POST", "host_types", { metadata: { name }, hardware });
  if (made.status !== 200) throw new Error(`the type was refused: ${JSON.stringify(made.body)}`);
  return name;
}

export const dpuOf = (site: Site, id: string): Promise<Dpu> =>
  mustLoad(recordsIn(site.laptop.store), "dpu", id);

/** Runs until no operation works on a DPU, and answers it then. */
export async function settledDpu(site: Site, id: string): Promise<Dpu> {
  await site.laptop.until(async () => (await dpuOf(site, id)).operation === undefined, `DPU ${id}`);
  return dpuOf(site, id);
}
