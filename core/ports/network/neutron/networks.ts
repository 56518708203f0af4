import { AppError } from "../../../error.ts";
import { addressFamily } from "../../../prefix.ts";
import type { ObjectState, Removal } from "../../fabric/fabric.ts";
import type { NeutronApi } from "../../fabric/neutron/api.ts";
import { connectLayers, interfaceOf } from "../../fabric/neutron/layers.ts";
import { baseName } from "../../fabric/neutron/names.ts";
import type { NeutronSubnet, Port, Router } from "../../fabric/neutron/objects.ts";
import { OwnedInNeutron, progressOf, removal } from "../../fabric/neutron/owned.ts";
import type { Owner } from "../../owner.ts";
import {
  defaultGroupOf,
  type NetworkSubnetPlan,
  type Networks,
  type PrefixPlan,
} from "../network.ts";
import { ensureDefaultGroup, ensureGroup, removeGroup } from "./groups.ts";
import { ensureWayOut, removeWayOut } from "./way-out.ts";

/**
 * Tenants' networks in Neutron: a network is a router, and a subnet is a Neutron network in which each prefix
 * is a subnet with an interface of that router. The subnet's Neutron network, with its VLAN id, must exist
 * already.
 */
export function neutronNetworks(api: NeutronApi, externalNetwork: string): Networks {
  const of = (owner: Owner) => new OwnedInNeutron(api, { ...owner, uses: [] });
  return {
    async ensureNetwork(network) {
      const router = await ensureRouter(of(network), externalNetwork);
      await ensureDefaultGroup(api, network);
      return progressOf("the router", router.status);
    },
    async removeNetwork(network) {
      const removed = await removal(async () => {
        for (const { id } of await of(network).routers()) await api.remove("routers", id);
      });
      return removed.state === "absent" ? removeGroup(api, defaultGroupOf(network)) : removed;
    },
    ensureSubnet: (subnet, plan) => ensureSubnet(api, of(subnet), of(subnet.network), plan),
    removeSubnet: (subnet) => removeSubnet(api, of(subnet), of(subnet.network)),
    ensureWayOut: (network, way) => ensureWayOut(api, of(network), way, externalNetwork),
    removeWayOut: (network, way) => removeWayOut(api, of(network), way),
    ensureGroup: (group, rules) => ensureGroup(api, group, rules),
    removeGroup: (group) => removeGroup(api, group),
  };
}

/**
 * The router of a network. It has the external gateway, so that floating IPs can lead in, but no SNAT:
 * without outbound access or a floating IP no packet gets out.
 */
function ensureRouter(ours: OwnedInNeutron, externalNetwork: string): Promise<Router> {
  const name = baseName(ours.owned);
  return ours.ensure("routers", name, async () => (await ours.routers())[0], {
    name,
    admin_state_up: true,
    external_gateway_info: { network_id: externalNetwork, enable_snat: false },
  });
}

/** The name of a prefix's subnet in Neutron. */
const subnetName = ({ owned }: OwnedInNeutron, cidr: string): string =>
  addressFamily(cidr) === "ipv6" ? `${baseName(owned)}-v6` : baseName(owned);

async function ensureSubnet(
  api: NeutronApi,
  ours: OwnedInNeutron,
  network: OwnedInNeutron,
  { prefixes, dnsServers }: NetworkSubnetPlan,
): Promise<ObjectState> {
  const [router] = await network.routers();
  if (!router) return { state: "pending", message: "the router of the network does not exist" };
  let open: ObjectState = { state: "done" };
  for (const plan of prefixes) {
    const subnet = await ensurePrefix(ours, plan, dnsServers);
    const port = await connected(api, ours, router, subnet);
    const progress = port
      ? progressOf("the gateway", port.status)
      : ({ state: "pending", message: "the router is not connected to the subnet yet" } as const);
    if (progress.state !== "done") open = progress;
  }
  return open;
}

async function ensurePrefix(
  ours: OwnedInNeutron,
  { cidr, gateway, dhcp }: PrefixPlan,
  dnsServers: readonly string[],
): Promise<NeutronSubnet> {
  const name = subnetName(ours, cidr);
  const find = async () => (await ours.named("subnets", name))[0];
  const known = await find();
  const network = await ours.network();
  const isV6 = addressFamily(cidr) === "ipv6";
  const subnet = known
    ? await ours.adopt("subnets", known)
    : await ours.make("subnets", name, find, {
        network_id: network.id,
        name,
        ip_version: isV6 ? 6 : 4,
        ...(isV6 && { ipv6_ra_mode: "dhcpv6-stateful", ipv6_address_mode: "dhcpv6-stateful" }),
        cidr,
        gateway_ip: gateway,
        enable_dhcp: true,
        // Members get the addresses that Slipway has claimed for them; Neutron allocates only its own.
        allocation_pools: [{ start: dhcp.first, end: dhcp.last }],
        dns_nameservers: dnsServers.filter(
          (server) => addressFamily(server) === addressFamily(cidr),
        ),
      });
  if (subnet.cidr === cidr) return subnet;
  throw new AppError("Rejected", `subnet ${name} is ${subnet.cidr} instead of ${cidr}`);
}

/** The router's interface in a subnet, which is created if it is missing. */
async function connected(
  api: NeutronApi,
  ours: OwnedInNeutron,
  router: Router,
  subnet: NeutronSubnet,
): Promise<Port | undefined> {
  const find = async () => interfaceOf(router, subnet, await ours.portsOn(subnet));
  return (await find()) ?? connectLayers(api, router, subnet, find);
}

function removeSubnet(
  api: NeutronApi,
  ours: OwnedInNeutron,
  network: OwnedInNeutron,
): Promise<Removal> {
  return removal(async () => {
    const routers = await network.routers();
    const name = baseName(ours.owned);
    const subnets = [
      ...(await ours.named("subnets", name)),
      ...(await ours.named("subnets", `${name}-v6`)),
    ];
    for (const subnet of subnets) {
      for (const router of routers)
        if (interfaceOf(router, subnet, await ours.portsOn(subnet)))
          await api.removeRouterInterface(router.id, subnet.id);
      await api.remove("subnets", subnet.id);
    }
  });
}
