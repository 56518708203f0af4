import type { Site, Wire } from "../site.ts";
import { judge, type Receiver, type Sender } from "./judge.ts";
import type { Member, Orders, Rule } from "./model.ts";
import { accepted, readyIn, type Tenant } from "./tenant.ts";
import type { Ground } from "./walk.ts";

/** What tenants have on a fabric, as the API tells of it, and everybody's packets there. */

interface OnFabric {
  orders: {
    members: Member[];
    rules: Map<string, Record<"ingress" | "egress", readonly Rule[]>>;
    waysIn: Map<string, Member>;
    waysOut: Map<string, string>;
  };
  /** Members by the NICs that they are. */
  nics: Map<string, Member>;
  /** The addresses that tenants have outside, whether they lead anywhere or not. */
  outside: Set<string>;
}

/** What the outside sees of a cluster with a network of its own: the fabric chooses it, so that no rule names it. */
const ofFabricsChoice = "203.0.113.9";
const world = "198.51.100.7";
/** Addresses at which nobody of ours is. */
const elsewhere = ["198.51.100.99", "203.0.113.251", "10.99.0.1"];

/** Clusters on the fabric of a site. An address that once led in is asked for ever after. */
export function fabricGround(): Ground {
  const ever = new Set<string>();
  return {
    async look(site, tenants) {
      const { orders, nics, outside } = await onFabric(site, tenants);
      for (const address of outside) ever.add(address);
      const told = (source: string) =>
        source.startsWith("203.0.113.") && !outside.has(source) ? ofFabricsChoice : source;
      return judge(site.world.site.fabric, orders, endsOf(site, nics, orders, ever), told);
    },
  };
}

function endsOf(
  site: Site,
  nics: ReadonlyMap<string, Member>,
  { members }: Orders,
  outside: Iterable<string>,
): { senders: Sender[]; receivers: Receiver[] } {
  const machines = site.world
    .hosts()
    .flatMap((host) => host.nics.map(({ mac }) => mac.toLowerCase()));
  // Of the machines that nobody has, two stand for all.
  const free = machines.filter((mac) => !nics.has(mac)).slice(0, 2);
  const asked = [...nics.keys(), ...free].map((nic) => {
    const member = nics.get(nic);
    return { name: member?.name ?? nic, place: { nic }, member };
  });
  const endpoints = members.slice(nics.size).flatMap(({ addresses }) => addresses);
  return {
    senders: [
      ...asked.map(({ member, ...rest }) => ({ ...rest, from: member })),
      { name: "the world", place: { address: world }, from: world },
    ],
    receivers: [
      ...asked.map(({ member, ...rest }) => ({
        ...rest,
        destination: member?.addresses[0],
        ...(member && { to: member }),
      })),
      ...[...new Set([...endpoints, ...outside, ...elsewhere])].map((address) => ({
        name: address,
        place: { address },
        destination: address,
      })),
    ],
  };
}

async function onFabric(site: Site, tenants: readonly Tenant[]): Promise<OnFabric> {
  const found: OnFabric = {
    orders: { members: [], rules: new Map(), waysIn: new Map(), waysOut: new Map() },
    nics: new Map(),
    outside: new Set(),
  };
  const { items } = accepted(await site.admin("GET", "hosts?limit=1000"));
  const hosts = new Map<string, Wire>(items.map((host: Wire) => [host.id, host]));
  for (const tenant of tenants) await addTenant(site, tenant, hosts, found);
  const { orders, nics } = found;
  orders.members.unshift(...nics.values());
  return found;
}

async function addTenant(
  site: Site,
  tenant: Tenant,
  hosts: ReadonlyMap<string, Wire>,
  found: OnFabric,
): Promise<void> {
  const { orders, outside } = found;
  for (const { id, spec } of await readyIn(tenant, "security_groups"))
    orders.rules.set(id, { ingress: spec.ingress ?? [], egress: spec.egress ?? [] });
  const addresses = new Map<string, string>();
  for (const { id, status } of await readyIn(tenant, "external_ips")) {
    addresses.set(id, status.address);
    outside.add(status.address);
  }
  for (const { spec } of await readyIn(tenant, "nat_gateways"))
    orders.waysOut.set(spec.virtual_network.id, addresses.get(spec.external_ip.id) ?? "");
  const attached = new Map<string, string | undefined>();
  for (const { spec } of await readyIn(tenant, "external_ip_attachments"))
    attached.set(`${spec.cluster.id} ${spec.target_endpoint}`, addresses.get(spec.external_ip.id));
  const networks = new Map<string, string>();
  for (const { id, spec } of await readyIn(tenant, "subnets"))
    networks.set(id, spec.virtual_network.id);

  for (const { id, metadata, spec, status } of await readyIn(tenant, "clusters")) {
    const at = spec.network_attachment;
    const standing = {
      network: at ? (networks.get(at.subnet.id) ?? "") : id,
      groups: at?.security_groups.map((group: Wire) => group.id),
    };
    if (!at) orders.waysOut.set(id, ofFabricsChoice);
    const member = (what: string, address: string): Member => ({
      name: `${tenant.name}/${metadata.name}/${what}`,
      addresses: [address],
      ...standing,
    });
    for (const host of await hostsOf(site, id, hosts))
      for (const { name, mac } of host.spec.nics) {
        const nic = member(`${host.metadata.name}/${name}`, addressOf(site, mac));
        found.nics.set(mac.toLowerCase(), nic);
      }
    for (const use of ["api", "ingress"]) {
      const { internal, external: own } = status.addresses[use];
      const endpoint = `EXTERNAL_IP_ATTACHMENT_ENDPOINT_${use.toUpperCase()}`;
      const external = attached.get(`${id} ${endpoint}`) ?? own;
      const answering = member(use, internal);
      orders.members.push(answering);
      orders.waysIn.set(external, answering);
      outside.add(external);
    }
  }
}

async function hostsOf(
  site: Site,
  cluster: string,
  hosts: ReadonlyMap<string, Wire>,
): Promise<Wire[]> {
  const { status } = accepted(await site.admin("GET", `clusters/${cluster}`));
  const ids = Object.values<string[]>(status.hosts ?? {}).flat();
  return ids.flatMap((id) => hosts.get(id) ?? []);
}

/** The address that a machine has on a NIC. One without would reach nobody, and nobody would miss it. */
function addressOf(site: Site, mac: string): string {
  const lease = site.world.site.leaseOf(mac);
  if (!lease) throw new Error(`NIC ${mac} of a cluster that is READY has no address`);
  return lease.address;
}
