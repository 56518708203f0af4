import { isIPv4 } from "node:net";
import { objectIn } from "../../../core/kernel/object/records.ts";
import { isWithin } from "../../../core/prefix.ts";
import { hostId } from "../../../sim/host.ts";
import type { PacketCarrier, Place, Protocol } from "../../../sim/packets/packets.ts";
import { stop } from "../../../sim/packets/packets.ts";
import { packetsOf } from "../overlay.ts";
import type { Site, Wire } from "../site.ts";
import { judge, type Receiver, type Sender } from "./judge.ts";
import { type Member, type Orders, outsideNetwork, type Rule } from "./model.ts";
import { accepted, readyIn, type Tenant } from "./tenant.ts";
import type { Ground } from "./walk.ts";

/**
 * Servers behind DPUs. Whenever all is at rest, what reaches what is what tenants have ordered. And at no moment before
 * that, whatever fails, a packet reaches another tenant's host, or one that no tenant has.
 */

/** Somebody outside, and an address at which nobody is. */
const world = "198.51.100.7";
const elsewhere = "10.99.0.1";

export function dpuGround(): Ground {
  const strayed: string[] = [];
  let isWatched = false;
  return {
    async look(site, tenants) {
      if (!isWatched) watchEachMoment(site, strayed);
      isWatched = true;
      await untilApplied(site);
      const { orders, nics } = await onDpus(site, tenants);
      const judged = judge(carrierOf(site), orders, endsOf(site, nics, orders));
      return { ...judged, wrong: [...judged.wrong, ...strayed] };
    },
    // A host that was set aside is tried again, as a person would once its DPU is heard.
    async care(site) {
      for (const { id, status } of accepted(await site.admin("GET", "hosts?limit=1000")).items)
        if (status.state === "HOST_STATE_QUARANTINED" && status.operation === undefined)
          await site.admin("POST", `hosts/${id}/retry`);
    },
  };
}

/** No operation waits for the other ends of a network: one whose DPU was silent has it once that is heard again. */
const untilApplied = (site: Site): Promise<void> =>
  site.laptop.until(async () => {
    const dpus: Wire[] = accepted(await site.admin("GET", "dpus?limit=1000")).items;
    return dpus
      .filter(({ status }) => status.state === "DPU_STATE_READY")
      .every(({ status }) => status.applied_version === status.wanted_version);
  }, "every DPU to have what it is to have");

/** Of a server without power nothing comes, and nothing arrives there. */
function carrierOf(site: Site): PacketCarrier {
  const { dpus, bmcs } = site.world;
  const isOff = (mac: string) => {
    const dpu = dpus.before(mac);
    return dpu !== undefined && bmcs.machines.get(hostId(dpu.host))?.power === "Off";
  };
  const packets = packetsOf(site);
  return {
    reaches(from, ...rest) {
      if ("nic" in from && isOff(from.nic)) return stop("sender", "its server is off");
      const fate = packets.reaches(from, ...rest);
      // An address of the site that no DPU announces, such as that of a gateway whose network is empty, leads nowhere.
      if (fate.arrives && isIPv4(fate.at) && isWithin(outsideNetwork, `${fate.at}/32`))
        return stop("outside", "nobody announces the address");
      return fate.arrives && isOff(fate.at) ? stop("receiver", "the server is off") : fate;
    },
  };
}

interface OnDpus {
  orders: Orders;
  /** The members by the MAC addresses of their NICs. */
  nics: Map<string, Member>;
}

async function onDpus(site: Site, tenants: readonly Tenant[]): Promise<OnDpus> {
  const nics = new Map<string, Member>();
  const rules = new Map<string, Record<"ingress" | "egress", readonly Rule[]>>();
  const waysIn = new Map<string, Member>();
  const waysOut = new Map<string, string>();
  const hosts: Wire[] = accepted(await site.admin("GET", "hosts?limit=1000")).items;
  for (const tenant of tenants) {
    for (const { id, spec } of await readyIn(tenant, "security_groups"))
      rules.set(id, { ingress: spec.ingress ?? [], egress: spec.egress ?? [] });
    const networks = new Map<string, string>();
    for (const { id, spec } of await readyIn(tenant, "subnets"))
      networks.set(id, spec.virtual_network.id);
    const outside = new Map<string, string>();
    for (const { spec, status } of await readyIn(tenant, "external_ip_attachments"))
      outside.set(spec.baremetal_instance.id, status.external_ip_address);
    for (const { spec, status } of await readyIn(tenant, "nat_gateways"))
      waysOut.set(spec.virtual_network.id, status.external_ip_address);
    const { items } = accepted(await tenant.ask("GET", "baremetal_instances?limit=1000"));
    for (const { id, metadata, spec, status } of items) {
      if (status.state !== "BARE_METAL_INSTANCE_STATE_RUNNING") continue;
      const { nics: all } = hosts.find((each) => each.status.owner?.id === id).spec;
      const statuses: Wire[] = status.network_attachment_statuses;
      for (const [place, at] of statuses.entries()) {
        const { subnet_ref: subnet, ip_address: address, primary } = at;
        const groups = spec.network_attachments[place].security_groups.map(idOf);
        // Those that no attachment names are where the primary one is.
        const isThere = ({ name }: Wire) =>
          name === at.interface || (primary && statuses.every((each) => each.interface !== name));
        for (const { name, mac } of all.filter(isThere)) {
          const own = addressOf(site, mac);
          const external = primary && own === address ? outside.get(id) : undefined;
          const member: Member = {
            name: `${tenant.name}/${metadata.name}/${name}`,
            network: networks.get(subnet) ?? "",
            ...{ addresses: [own], groups },
            ...(external !== undefined && { outside: external }),
          };
          nics.set(mac, member);
          if (external !== undefined) waysIn.set(external, member);
        }
      }
    }
  }
  return { orders: { members: [...nics.values()], rules, waysIn, waysOut }, nics };
}

const idOf = ({ id }: Wire): string => id;

/** The address that a NIC has from its DPU. One without would reach nobody, and nobody would miss it. */
function addressOf(site: Site, mac: string): string {
  const dpu = site.world.dpus.before(mac);
  const host = dpu && site.world.dpus.state(dpu.id).applied?.host;
  const interfaces = host?.network === "overlay" ? host.interfaces : [];
  const found = interfaces.find((each) => each.mac === mac);
  if (!found) throw new Error(`NIC ${mac} of a server that runs has no address`);
  return found.address;
}

function endsOf(
  site: Site,
  nics: ReadonlyMap<string, Member>,
  { members, waysIn, waysOut }: Orders,
): { senders: Sender[]; receivers: Receiver[] } {
  const all = new Set([...nics.keys(), ...macsOf(site)]);
  const asked = [...all].map((nic) => ({ nic, member: nics.get(nic) }));
  const addresses = new Set([
    ...members.flatMap((member) => member.addresses),
    ...[...waysIn.keys(), ...waysOut.values(), world, elsewhere],
  ]);
  return {
    senders: [
      ...asked.map(({ nic, member }) => ({
        ...{ name: member?.name ?? nic, place: { nic }, from: member },
      })),
      { name: "the world", place: { address: world }, from: world },
    ],
    receivers: [
      ...asked.map(({ nic, member }) => ({
        ...{ name: member?.name ?? nic, place: { nic }, destination: member?.addresses[0] },
        ...(member && { to: member }),
      })),
      ...[...addresses].map((address) => ({
        ...{ name: address, place: { address }, destination: address },
      })),
    ],
  };
}

const macsOf = (site: Site): string[] =>
  site.world.dpus.list().flatMap(({ ports }) => ports.map(({ mac }) => mac));

const packets: readonly [Protocol, number][] = [
  ["tcp", 443],
  ["tcp", 5432],
  ["udp", 443],
  ["icmp", 8],
];

/** Asks for every pair of NICs whenever a DPU does something else with packets, a host is somebody else's, or one is on. */
function watchEachMoment(site: Site, strayed: string[]): void {
  const { store } = site.laptop;
  const look = () => {
    for (const each of straysIn(site)) if (!strayed.includes(each)) strayed.push(each);
  };
  site.world.dpus.watch(look);
  site.world.bmcs.machines.watch(look);
  const transact = store.transact.bind(store);
  store.transact = async (writes) => {
    await transact(writes);
    if (writes.some((write) => "put" in write && write.put.pk.startsWith("host#"))) look();
  };
}

/** The packets that reach at this moment what they must never reach. */
function straysIn(site: Site): string[] {
  const tenants = new Map<string, string>();
  const { store, deps } = site.laptop;
  for (const item of store.items("host#")) {
    const { spec, status } = objectIn<"host">(deps.kinds, item);
    for (const { mac } of spec.nics) if (status.owner) tenants.set(mac, status.owner.tenant);
  }
  const carrier = carrierOf(site);
  const macs = macsOf(site);
  const senders: Place[] = [...macs.map((nic) => ({ nic })), { address: world }];
  return senders.flatMap((from) =>
    macs.flatMap((nic) => {
      const isOwn =
        "nic" in from && (from.nic === nic || isAlike(tenants.get(from.nic), tenants.get(nic)));
      if (isOwn) return [];
      return packets.flatMap(([protocol, port]) => {
        const { arrives } = carrier.reaches(from, { nic }, protocol, port);
        const who = "nic" in from ? from.nic : from.address;
        return arrives
          ? [
              `${who} (${tenants.get(who)}) reached ${nic} (${tenants.get(nic)}), ${protocol} ${port}`,
            ]
          : [];
      });
    }),
  );
}

const isAlike = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && one === other;
