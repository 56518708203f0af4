import * as z from "zod";
import { overlaps, rangeOf } from "./addresses.ts";
import { delays } from "./delays.ts";
import { grouped } from "./derived.ts";
import { badRouterRequest, conflict, notFound, parseInput } from "./error.ts";
import { allocate } from "./fixed-ips.ts";
import { gatewayPortOf, gatewaySchema, setGateway } from "./gateways.ts";
import { requireAllowed } from "./policy.ts";
import { newMac, unbound } from "./ports.ts";
import type { PortRecord, RouterRecord, SubnetRecord } from "./records.ts";
import { given, named, resource, type Wire } from "./resource.ts";
import type { FabricState } from "./state.ts";

const schema = z.strictObject({
  ...named,
  admin_state_up: z.boolean().optional(),
  external_gateway_info: gatewaySchema,
});

export const routers = resource({
  kind: "router",
  collection: "routers",
  missing: { type: "RouterNotFound", text: (id) => `Router ${id} could not be found.` },
  create: schema,
  update: schema,

  make(state, { external_gateway_info: info, admin_state_up = true, ...input }) {
    const router = state.make("router", {
      ...given(input),
      admin_state_up,
      gateway_network: null,
      enable_snat: true,
    });
    return setGateway(state, router, info);
  },

  change(state, router, { external_gateway_info: info, ...input }) {
    const changed = state.change("router", router, given(input));
    return info === undefined ? changed : setGateway(state, changed, info);
  },

  remove(state, router) {
    const ports = interfacesOf(state, router.id);
    if (ports.length > 0) {
      const ids = ports.map(({ id }) => id).join(",");
      throw conflict("RouterInUse", `Router ${router.id} has ports still attached: ${ids}`);
    }
    setGateway(state, router, {});
    state.records.remove("router", router.id);
  },

  view(state, router) {
    const port = gatewayPortOf(state, router.id);
    return {
      status: "ACTIVE",
      admin_state_up: router.admin_state_up,
      external_gateway_info: port
        ? {
            network_id: router.gateway_network,
            enable_snat: router.enable_snat,
            external_fixed_ips: port.fixed_ips,
          }
        : null,
      ha: false,
      routes: [],
    };
  },
});

/** The inside ports of a router. */
export const interfacesOf = (state: FabricState, router: string): readonly PortRecord[] =>
  interfacePorts(state.records.all("port"), router);

const interfacePorts = grouped((port: PortRecord) =>
  port.device_owner === "network:router_interface" ? port.device_id : undefined,
);

const interfaceSchema = z.strictObject({
  subnet_id: z.string().optional(),
  port_id: z.string().optional(),
});

export function addInterface(state: FabricState, id: string, body: unknown): Wire {
  const router = routerOf(state, id);
  const input = parseInput(interfaceSchema, body);
  requireAllowed(state.context.settings.roles, "update", "router");
  if (input.port_id !== undefined && input.subnet_id !== undefined) {
    throw badRouterRequest("Cannot specify both subnet-id and port-id");
  }
  const port =
    input.port_id === undefined
      ? addBySubnet(state, router, input.subnet_id)
      : addByPort(state, router, input.port_id);
  return interfaceView(router, port);
}

function addBySubnet(state: FabricState, router: RouterRecord, id: string | undefined): PortRecord {
  if (id === undefined) throw badRouterRequest("Either subnet_id or port_id must be specified");
  const subnet = subnetOf(state, id);
  if (subnet.gateway_ip === null) {
    throw badRouterRequest("Subnet for router interface must have a gateway IP");
  }
  requireRoom(state, router, subnet);
  const wanted = [{ subnet_id: subnet.id, ip_address: subnet.gateway_ip }];
  const made = { mac_address: newMac(state), ...unbound, ...ownedBy(state, router) };
  return state.make("port", {
    network_id: subnet.network_id,
    admin_state_up: true,
    ...made,
    fixed_ips: allocate(state, subnet.network_id, wanted, made),
  });
}

function addByPort(state: FabricState, router: RouterRecord, id: string): PortRecord {
  const port = state.records.get("port", id);
  if (!port) throw notFound("PortNotFound", `Port ${id} could not be found.`);
  if (port.device_id !== "") {
    throw conflict(
      "PortInUse",
      `Unable to complete operation on port ${id} for network ${port.network_id}. Port already has an attached device ${port.device_id}.`,
    );
  }
  for (const { subnet_id } of port.fixed_ips)
    requireRoom(state, router, subnetOf(state, subnet_id));
  return state.change("port", port, ownedBy(state, router));
}

const ownedBy = (state: FabricState, router: RouterRecord) => ({
  device_id: router.id,
  device_owner: "network:router_interface",
  host_id: "network-node",
  vif_type: "other" as const,
  // The fabric's own ports have no port security.
  security_groups: [],
  port_security_enabled: false,
  active_at: state.now() + delays.routerInterface,
});

/** Refuses a second interface; like Neutron, with a bad request instead of a conflict. */
function requireRoom(state: FabricState, router: RouterRecord, subnet: SubnetRecord): void {
  for (const { subnet_id } of interfacesOf(state, router.id).flatMap((port) => port.fixed_ips)) {
    if (subnet_id === subnet.id) {
      throw badRouterRequest(`Router already has a port on subnet ${subnet.id}`);
    }
    const other = subnetOf(state, subnet_id);
    if (overlaps(rangeOf(other.cidr), rangeOf(subnet.cidr))) {
      throw badRouterRequest(
        `Cidr ${subnet.cidr} of subnet ${subnet.id} overlaps with cidr ${other.cidr} of subnet ${other.id}`,
      );
    }
  }
}

export function removeInterface(state: FabricState, id: string, body: unknown): Wire {
  const router = routerOf(state, id);
  const { subnet_id: subnet, port_id: wanted } = parseInput(interfaceSchema, body);
  requireAllowed(state.context.settings.roles, "update", "router");
  const port = interfacesOf(state, router.id).find(
    (one) => one.id === wanted || one.fixed_ips.some(({ subnet_id }) => subnet_id === subnet),
  );
  if (!port) {
    throw subnet === undefined
      ? notFound(
          "RouterInterfaceNotFound",
          `Router ${id} does not have an interface with id ${wanted}`,
        )
      : notFound(
          "RouterInterfaceNotFoundForSubnet",
          `Router ${id} has no interface on subnet ${subnet}`,
        );
  }
  const subnets = new Set(port.fixed_ips.map(({ subnet_id }) => subnet_id));
  for (const { router_id, port_id } of state.records.all("floatingip")) {
    const to = port_id === null ? undefined : state.records.get("port", port_id);
    const used = to?.fixed_ips.find(({ subnet_id }) => subnets.has(subnet_id));
    if (router_id !== id || !used) continue;
    throw conflict(
      "RouterInterfaceInUseByFloatingIP",
      `Router interface for subnet ${used.subnet_id} on router ${id} cannot be deleted, as it is required by one or more floating IPs.`,
    );
  }
  state.records.remove("port", port.id);
  return interfaceView(router, port);
}

const interfaceView = (router: RouterRecord, port: PortRecord): Wire => ({
  id: router.id,
  subnet_id: port.fixed_ips[0]?.subnet_id,
  subnet_ids: port.fixed_ips.map(({ subnet_id }) => subnet_id),
  port_id: port.id,
  network_id: port.network_id,
  project_id: router.project_id,
});

function routerOf(state: FabricState, id: string): RouterRecord {
  const router = state.records.get("router", id);
  if (!router) throw notFound("RouterNotFound", `Router ${id} could not be found`);
  return router;
}

function subnetOf(state: FabricState, id: string): SubnetRecord {
  const subnet = state.records.get("subnet", id);
  if (!subnet) throw notFound("SubnetNotFound", `Subnet ${id} could not be found.`);
  return subnet;
}

/** The router from a subnet to an outside network; to any outside network when none is named. */
export function routerBetween(
  state: FabricState,
  subnet: string,
  outside?: string,
): RouterRecord | undefined {
  const leads = ({ gateway_network: gateway }: RouterRecord) =>
    outside === undefined ? gateway !== null : gateway === outside;
  const reaches = (port: PortRecord) =>
    port.fixed_ips.some(({ subnet_id }) => subnet_id === subnet);
  return state.records
    .all("router")
    .find((router) => leads(router) && interfacesOf(state, router.id).some(reaches));
}
