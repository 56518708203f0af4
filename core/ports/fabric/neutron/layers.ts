import { AppError } from "../../../error.ts";
import type { Layer3, ObjectState, Removal } from "../fabric.ts";
import type { NeutronApi } from "./api.ts";
import { baseName } from "./names.ts";
import type { Network, NeutronSubnet, Port, Router } from "./objects.ts";
import { type OwnedInNeutron, progressOf, removal } from "./owned.ts";

/** Layer 2: a network with a claimed VLAN id on the provider's physical network. */
export async function ensureLayer2(
  ours: OwnedInNeutron,
  vlan: number,
  physicalNetwork: string,
): Promise<ObjectState> {
  const name = baseName(ours.owned);
  const network = await ours.ensure("networks", name, async () => (await ours.networks())[0], {
    name,
    admin_state_up: true,
    shared: false,
    "provider:network_type": "vlan",
    "provider:physical_network": physicalNetwork,
    "provider:segmentation_id": vlan,
  });
  const has = network["provider:segmentation_id"] ?? vlan;
  if (has !== vlan) {
    throw new AppError("Rejected", `network ${name} has VLAN ${has} instead of ${vlan}`);
  }
  return layer2Progress(network);
}

export function layer2Progress(network: Network | undefined): ObjectState {
  return network ? progressOf("the network", network.status) : { state: "absent" };
}

export async function removeLayer2(api: NeutronApi, ours: OwnedInNeutron): Promise<Removal> {
  return removal(async () => {
    for (const { id } of await ours.networks()) await api.remove("networks", id);
  });
}

/** Layer 3: a subnet, and a router between it and the outside. */
export async function ensureLayer3(
  api: NeutronApi,
  ours: OwnedInNeutron,
  plan: Layer3,
  externalNetwork: string,
): Promise<ObjectState> {
  const name = baseName(ours.owned);
  const subnet = await ensureSubnet(ours, name, plan);
  if (subnet.cidr !== plan.prefix) {
    throw new AppError("Rejected", `subnet ${name} is ${subnet.cidr} instead of ${plan.prefix}`);
  }
  const gateway = { external_gateway_info: { network_id: externalNetwork } };
  const ports = await ours.portsOn(subnet);
  const findRouter = async () => routerAmong(await ours.routers(), ports);
  let router = await ours.ensure("routers", name, findRouter, {
    name,
    ...gateway,
  });
  if (router.external_gateway_info?.network_id !== externalNetwork) {
    router = await api.update("routers", router.id, gateway);
  }
  const port =
    interfaceOf(router, subnet, ports) ??
    (await connectLayers(api, router, subnet, async () =>
      interfaceOf(router, subnet, await ours.portsOn(subnet)),
    ));
  return layer3Progress(subnet, router, port ? [port] : []);
}

async function ensureSubnet(
  ours: OwnedInNeutron,
  name: string,
  plan: Layer3,
): Promise<NeutronSubnet> {
  const find = async () => (await ours.subnets())[0];
  const found = await find();
  if (found) return ours.adopt("subnets", found);
  const network = await ours.network();
  return ours.make("subnets", name, find, {
    network_id: network.id,
    name,
    ip_version: 4,
    cidr: plan.prefix,
    gateway_ip: plan.gateway,
    enable_dhcp: plan.hasDhcp,
    allocation_pools: [{ start: plan.range.first, end: plan.range.last }],
    dns_nameservers: plan.dnsServers,
  });
}

/**
 * Connects the router to the subnet. Neutron answers 400 for a repeated connection, so after any failure the
 * connection is looked up.
 */
export async function connectLayers(
  api: NeutronApi,
  router: Router,
  subnet: NeutronSubnet,
  find: () => Promise<Port | undefined>,
): Promise<Port | undefined> {
  try {
    await api.addRouterInterface(router.id, subnet.id);
  } catch (error) {
    const port = await find().catch(() => undefined);
    if (port) return port;
    throw error;
  }
  return find();
}

const isRouterInterface = ({ device_owner }: Port): boolean =>
  // The device owners of router interfaces, including those of distributed and highly available routers.
  /^network:(router_interface|ha_router_replicated_interface)/.test(device_owner);

/** The interface of a router in a subnet. */
export const interfaceOf = (
  router: Router,
  subnet: NeutronSubnet,
  ports: Port[],
): Port | undefined =>
  ports.find(
    (port) =>
      port.device_id === router.id &&
      isRouterInterface(port) &&
      port.fixed_ips.some(({ subnet_id }) => subnet_id === subnet.id),
  );

/** The router of a network. A lost answer may have left a second router; the connected one counts. */
export function routerAmong(routers: Router[], ports: Port[]): Router | undefined {
  const isConnected = ({ id }: Router) =>
    ports.some((port) => port.device_id === id && isRouterInterface(port));
  return routers.find(isConnected) ?? routers[0];
}

/** The progress of layer 3; `ports` are all ports on the owner's network. */
export function layer3Progress(
  subnet: NeutronSubnet | undefined,
  router: Router | undefined,
  ports: Port[],
): ObjectState {
  if (!subnet && !router) return { state: "absent" };
  if (!subnet || !router) {
    return { state: "pending", message: `there is no ${subnet ? "router" : "subnet"} yet` };
  }
  if (!router.external_gateway_info) {
    return { state: "pending", message: "the router has no way outside yet" };
  }
  const routing = progressOf("the router", router.status);
  if (routing.state !== "done") return routing;
  const port = interfaceOf(router, subnet, ports);
  if (!port) return { state: "pending", message: "the router is not connected to the subnet yet" };
  if (port["binding:vif_type"] === "binding_failed") {
    return { state: "failed", message: "the fabric could not bind the gateway" };
  }
  return progressOf("the gateway", port.status);
}

export async function removeLayer3(api: NeutronApi, ours: OwnedInNeutron): Promise<Removal> {
  return removal(async () => {
    for (const router of await ours.routers()) {
      const ports = await api.list("ports", { device_id: router.id });
      const interfaces = ports.filter(
        (port) => port.device_id === router.id && isRouterInterface(port),
      );
      for (const { subnet_id } of interfaces.flatMap((port) => port.fixed_ips)) {
        await api.removeRouterInterface(router.id, subnet_id);
      }
      await api.remove("routers", router.id);
    }
    for (const { id } of await ours.subnets()) await api.remove("subnets", id);
  });
}
