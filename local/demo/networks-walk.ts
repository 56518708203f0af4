import * as z from "zod";
import { ProviderApi } from "./api.ts";
import { internet, type Packet, type Place, sayFates } from "./fates.ts";
import { countsOf, owned } from "./look.ts";
import { say } from "./screen.ts";
import { Tenant } from "./tenant.ts";
import type { Walk } from "./walk.ts";
import type { Dev } from "./world.ts";

/**
 * Two tenants with networks of the same prefix: subnets, security groups and clusters in them, one outside address for
 * outgoing and one for incoming connections, reachability before and after a change of rules, refused removals, and a
 * check for leftovers.
 */
export const networksWalk: Walk = { servers: "on", show };

const all = { protocol: "PROTOCOL_ALL" };
const anywhere = { ipv4_cidr: "0.0.0.0/0" };
const https = { protocol: "PROTOCOL_TCP", port_from: 443, port_to: 443 };
const amongThem = { ...all, security_group: "web" };
const rules = {
  ingress: [{ ...https, ...anywhere }, amongThem],
  egress: [{ ...all, ...anywhere }],
};

async function show(dev: Dev): Promise<string> {
  const ours = new Tenant(dev, "tenant-a");
  const theirs = new Tenant(dev, "tenant-b");

  const network = { virtual_network: "shop" };
  const made: [Tenant, string][] = [];
  for (const tenant of [ours, theirs]) {
    const order = async (collection: string, name: string, spec: object) => {
      const id = await tenant.order(collection, name, spec);
      made.unshift([tenant, `${collection}/${id}`]);
    };
    await order("virtual_networks", "shop", { ipv4_cidr: "10.20.0.0/16" });
    await order("subnets", "web", { ...network, ipv4_cidr: "10.20.1.0/24" });
    await order("security_groups", "web", { ...network, ...rules });
  }

  const pool = { pool: "outside" };
  const exit = await ours.order("external_ips", "exit", pool);
  const nat = await ours.order("nat_gateways", "exit", { ...network, external_ip: "exit" });

  const shop = await ours.begin("clusters", "shop", clusterOf(2));
  const blog = await theirs.begin("clusters", "blog", clusterOf(1));
  await shop.finish();
  await blog.finish();
  const front = await ours.order("external_ips", "front", pool);
  const attachment = await ours.order("external_ip_attachments", "front", {
    external_ip: "front",
    cluster: "shop",
    target_endpoint: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS",
  });

  const provider = new ProviderApi(dev.api, dev.tokens.admin);
  const [first, second] = await nodesOf(provider, ours, shop.id);
  const [other] = await nodesOf(provider, theirs, blog.id);
  if (!first || !second || !other) throw new Error("a cluster has too few hosts");
  const { address } = (await ours.api.read(`external_ips/${front}`, addressSchema)).status;
  const door = { name: `shop's ingress ${address}`, at: address };
  const packets: Packet[] = [
    [first, second, 22],
    [first, other, 22],
    [other, first, 22],
    [first, internet, 443],
    [other, internet, 443],
    [internet, door, 443],
    [internet, door, 22],
  ];
  await sayFates(dev, packets);

  const [group = "", subnet = "", virtualNetwork = ""] = made
    .filter(([tenant]) => tenant === ours)
    .map(([, path]) => path);
  for (const path of [virtualNetwork, subnet, group, `external_ips/${front}`])
    await ours.tryRemoval(path);

  await ours.change(group, { ingress: [amongThem] }, versionsIn);
  await sayFates(dev, packets);

  await ours.remove(`external_ip_attachments/${attachment}`);
  const endings = [
    await ours.beginRemoval(`clusters/${shop.id}`),
    await theirs.beginRemoval(`clusters/${blog.id}`),
  ];
  for (const end of endings) await end();
  await ours.remove(`nat_gateways/${nat}`);
  for (const ip of [front, exit]) await ours.remove(`external_ips/${ip}`);
  for (const [tenant, path] of made) await tenant.remove(path);

  const left = countsOf(await owned(dev.sim));
  if (left.length > 0) throw new Error(`left behind: ${left.join(", ")}`);
  say();
  say("docs/networks.md says what these are, and what else can be ordered.");
  return "nothing left: no network, rule, port or address is on the fabric, and nothing on any hub, DNS or storage";
}

const clusterOf = (size: number) => ({
  template: "ocp_4_17_small",
  node_sets: { workers: { size } },
  network_attachment: { subnet: "web", security_groups: ["web"] },
});

const addressSchema = z.object({ status: z.object({ address: z.string() }) });
const versionsSchema = z.object({
  status: z.object({ wanted_version: z.number(), applied_version: z.number().optional() }),
});

function versionsIn(group: unknown): string {
  const { status } = versionsSchema.parse(group);
  return `desired version ${status.wanted_version}, applied ${status.applied_version ?? "none"}`;
}

async function nodesOf(provider: ProviderApi, tenant: Tenant, cluster: string): Promise<Place[]> {
  const hosts = await provider.hostsOf(cluster);
  return hosts.map(({ metadata, spec }) => ({
    name: `${tenant.name}'s ${metadata.name}`,
    at: spec.nics[0]?.mac ?? "",
  }));
}
