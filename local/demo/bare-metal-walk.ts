import * as z from "zod";
import { ProviderApi } from "./api.ts";
import { type Packet, type Place, sayFates } from "./fates.ts";
import { kept, moreThan } from "./kept.ts";
import { countsOf, leftOnServers, owned } from "./look.ts";
import { say } from "./screen.ts";
import { Servers } from "./servers.ts";
import { sayHeading } from "./telling.ts";
import { Tenant } from "./tenant.ts";
import type { Walk } from "./walk.ts";
import type { Dev } from "./world.ts";

/**
 * The servers of two tenants, in a world of two racks that are powered off, with each NIC behind a DPU: DPU
 * installation, host discovery, orders from POST until the system reports, connections between servers, a refused
 * removal, release, erasure, and a check for leftovers.
 */
export const bareMetalWalk: Walk = { servers: "dpus", show };

async function show(dev: Dev): Promise<string> {
  const provider = new ProviderApi(dev.api, dev.tokens.admin);
  const servers = new Servers(provider);
  const hosts = await provider.hosts();
  const [first] = hosts;
  const [dpu] = first ? await provider.dpusOf(first.id) : [];
  if (!first || !dpu) throw new Error("no server has a DPU");
  sayHeading(
    `${hosts.length} servers in two racks are off, with two DPUs each; ${dpu.metadata.name}:`,
  );
  await servers.follow(dpu.id);
  sayHeading(`They are discovered through their DPUs; ${first.metadata.name}:`);
  await servers.follow(first.id);
  say(`      ${(await servers.untilFree()).size} hosts are free`);
  const before = await kept(dev);

  const ours = new Tenant(dev, "tenant-a");
  const theirs = new Tenant(dev, "tenant-b");
  const made: [Tenant, string][] = [];
  for (const tenant of [ours, theirs]) {
    const network = await tenant.order("virtual_networks", "shop", {
      network_class: "overlay",
      ipv4_cidr: "10.20.0.0/16",
    });
    const spec = { virtual_network: "shop", ipv4_cidr: "10.20.1.0/24" };
    const subnet = await tenant.order("subnets", "web", spec);
    made.unshift([tenant, `virtual_networks/${network}`]);
    made.unshift([tenant, `subnets/${subnet}`]);
  }

  const orders = [
    { tenant: ours, ...(await ours.begin("baremetal_instances", "front", server)) },
    { tenant: ours, ...(await ours.begin("baremetal_instances", "back", server)) },
    { tenant: theirs, ...(await theirs.begin("baremetal_instances", "blog", server)) },
  ];
  for (const { finish } of orders) await finish();
  const places = await Promise.all(orders.map(({ tenant, id }) => placeOf(tenant, id)));
  const [front, back, blog] = places as [Place, Place, Place];
  const packets: Packet[] = [
    [front, back, 22],
    [front, blog, 22],
    [blog, front, 22],
  ];
  await sayFates(dev, packets);

  for (const [tenant, path] of made)
    if (tenant === ours && path.startsWith("subnets/")) await tenant.tryRemoval(path);

  const used = (await Promise.all(orders.map(({ id }) => provider.hostsOf(id)))).flat();
  const [last] = used;
  if (!last) throw new Error("no server has a host");
  await servers.skip(last.id);
  for (const { tenant, id } of orders) await tenant.remove(`baremetal_instances/${id}`);
  for (const [tenant, path] of made) await tenant.remove(path);
  sayHeading(`${used.length} servers were used, and are erased; ${last.metadata.name}:`);
  await servers.follow(last.id);
  sayHeading(`They are discovered again, through DPUs that are installed; ${last.metadata.name}:`);
  await servers.follow(last.id);
  const free = await servers.untilFree();
  say(`      ${free.size} hosts are free`);

  const left = [
    ...countsOf(await owned(dev.sim)),
    ...countsOf(await leftOnServers(dev.sim, free)),
    ...moreThan(before, await kept(dev)),
  ];
  if (left.length > 0) throw new Error(`left behind: ${left.join(", ")}`);
  say();
  say("docs/bare-metal.md says what these are, and what else can be ordered.");
  return "nothing left: servers are erased and free, DPUs are in no network, and no number or token is held";
}

const server = {
  catalog_item: "rhel-server",
  /** A key for the demo, whose private half was thrown away. */
  ssh_public_key:
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDB9vBqmAVRvWj+jIyueplZVoZq5y3u9WAeCsJclRedH demo",
  network_attachments: [{ subnet: "web" }],
};

const serverSchema = z.object({
  metadata: z.object({ name: z.string() }),
  status: z.object({ hardware: z.object({ nics: z.array(z.object({ mac: z.string() })) }) }),
});

/** A server's address in the fabric. */
async function placeOf(tenant: Tenant, id: string): Promise<Place> {
  const { metadata, status } = await tenant.api.read(`baremetal_instances/${id}`, serverSchema);
  return { name: `${tenant.name}'s ${metadata.name}`, at: status.hardware.nics[0]?.mac ?? "" };
}
