import * as z from "zod";
import { contains, isAddress, rangeOf, single, versionOf } from "./addresses.ts";
import { delays } from "./delays.ts";
import { addressTaken, conflict, invalidInput, NeutronFault, notFound } from "./error.ts";
import { freeAddress, takenIn } from "./fixed-ips.ts";
import { networkOf, subnetsOf } from "./networks.ts";
import type { FloatingIpRecord, PortRecord } from "./records.ts";
import { given, named, resource } from "./resource.ts";
import { routerBetween } from "./routers.ts";
import type { FabricState } from "./state.ts";

const address = z
  .string()
  .refine((text) => isAddress(text) && versionOf(text) === 4, "is not a valid IP address");

const changeable = {
  description: named.description,
  port_id: z.string().nullish(),
  fixed_ip_address: address.nullish(),
};

export const floatingIps = resource({
  kind: "floatingip",
  collection: "floatingips",
  missing: { type: "FloatingIPNotFound", text: (id) => `Floating IP ${id} could not be found.` },
  create: z.strictObject({
    ...changeable,
    floating_network_id: z.string(),
    floating_ip_address: address.optional(),
    subnet_id: z.string().optional(),
  }),
  update: z.strictObject(changeable),

  make(state, input) {
    const network = input.floating_network_id;
    if (!networkOf(state, network).external) {
      throw new NeutronFault(
        400,
        "BadRequest",
        `Bad floatingip request: Network ${network} is not a valid external network.`,
      );
    }
    const ip = takeAddress(state, network, input.floating_ip_address);
    const floatingIp = state.make("floatingip", {
      ...given({ description: input.description }),
      floating_network_id: network,
      floating_ip_address: ip,
      ...nowhere,
    });
    return associate(state, floatingIp, input);
  },

  change(state, floatingIp, { description, ...input }) {
    const changed = state.change("floatingip", floatingIp, given({ description }));
    const { port_id: port } = input;
    const saysNothing = description === undefined && port === undefined;
    // As in Neutron, an empty change disassociates the floating IP.
    if (saysNothing && !input.fixed_ip_address) return associate(state, changed, { port_id: null });
    if (port === undefined && !input.fixed_ip_address) return changed;
    const fixed = input.fixed_ip_address ?? undefined;
    const isSame =
      port === floatingIp.port_id && (fixed === undefined || fixed === floatingIp.fixed_ip_address);
    return isSame ? changed : associate(state, changed, input);
  },

  remove: (state, { id }) => state.records.remove("floatingip", id),

  view(state, floatingIp) {
    const { port_id } = floatingIp;
    const port = port_id === null ? undefined : state.records.get("port", port_id);
    return {
      // Floating IPs are the only kind without a name.
      name: undefined,
      floating_network_id: floatingIp.floating_network_id,
      floating_ip_address: floatingIp.floating_ip_address,
      fixed_ip_address: floatingIp.fixed_ip_address,
      port_id,
      router_id: floatingIp.router_id,
      status: state.isPast(floatingIp.active_at) ? "ACTIVE" : "DOWN",
      port_details: port
        ? {
            network_id: port.network_id,
            mac_address: port.mac_address,
            name: port.name,
            status: state.isPast(port.active_at) ? "ACTIVE" : "DOWN",
            device_id: port.device_id,
            device_owner: port.device_owner,
          }
        : null,
    };
  },
});

const nowhere = { fixed_ip_address: null, port_id: null, router_id: null, active_at: null };

function takeAddress(state: FabricState, network: string, wanted: string | undefined): string {
  // Floating IPs are IPv4 only.
  const subnets = subnetsOf(state, network).filter(({ cidr }) => versionOf(cidr) === 4);
  if (wanted === undefined) {
    for (const subnet of subnets) {
      const free = freeAddress(state, subnet);
      if (free !== undefined) return free;
    }
    throw new NeutronFault(
      400,
      "ExternalIpAddressExhausted",
      `Unable to find any IP address on external network ${network}.`,
    );
  }
  const subnet = subnets.find(({ cidr }) => contains(rangeOf(cidr), single(wanted)));
  if (!subnet) {
    throw new NeutronFault(
      400,
      "InvalidIpForNetwork",
      "IP address is not a valid IP for any of the subnets on the specified network.",
    );
  }
  if (takenIn(state, subnet).has(wanted)) throw addressTaken(subnet.id, wanted);
  return wanted;
}

function associate(
  state: FabricState,
  floatingIp: FloatingIpRecord,
  wanted: { port_id?: string | null | undefined; fixed_ip_address?: string | null | undefined },
): FloatingIpRecord {
  if (wanted.fixed_ip_address && !wanted.port_id) {
    throw new NeutronFault(
      400,
      "BadRequest",
      "Bad floatingip request: fixed_ip_address cannot be specified without a port_id.",
    );
  }
  const port = wanted.port_id ? portOf(state, wanted.port_id) : undefined;
  const write = (changes: Partial<FloatingIpRecord>) => {
    const written = { ...floatingIp, ...changes };
    state.records.put("floatingip", written);
    return written;
  };
  if (!port) return write(nowhere);
  const fixed = fixedIpOf(port, wanted.fixed_ip_address ?? undefined);
  const { id, floating_ip_address: ip, floating_network_id: network } = floatingIp;
  const router = routerBetween(state, fixed.subnet_id, network);
  if (!router) {
    throw notFound(
      "ExternalGatewayForFloatingIPNotFound",
      `External network ${network} is not reachable from subnet ${fixed.subnet_id}.  Therefore, cannot associate Port ${port.id} with a Floating IP.`,
    );
  }
  // Like Neutron, does not check the port with which the floating IP is already associated.
  const isMoving = port.id !== floatingIp.port_id;
  const other = state.records
    .all("floatingip")
    .find(
      (one) =>
        isMoving &&
        one.id !== id &&
        one.port_id === port.id &&
        one.fixed_ip_address === fixed.ip_address &&
        one.floating_network_id === network,
    );
  if (other) {
    throw conflict(
      "FloatingIPPortAlreadyAssociated",
      `Cannot associate floating IP ${ip} (${id}) with port ${port.id} using fixed IP ${fixed.ip_address}, as that fixed IP already has a floating IP on external network ${network}.`,
    );
  }
  return write({
    port_id: port.id,
    fixed_ip_address: fixed.ip_address,
    router_id: router.id,
    active_at: state.now() + delays.floatingIp,
  });
}

function portOf(state: FabricState, id: string): PortRecord {
  const port = state.records.get("port", id);
  if (!port) throw notFound("PortNotFound", `Port ${id} could not be found.`);
  return port;
}

function fixedIpOf(port: PortRecord, wanted: string | undefined) {
  const [first, second] = port.fixed_ips.filter(({ ip_address }) => versionOf(ip_address) === 4);
  if (wanted === undefined) {
    if (first && !second) return first;
    const what = first ? "has multiple fixed IPv4 addresses" : "does not have a fixed IPv4 address";
    throw new NeutronFault(
      400,
      "BadRequest",
      `Bad floatingip request: Port ${port.id} ${what}.  Must provide a specific IPv4 address when assigning a floating IP.`,
    );
  }
  const found = port.fixed_ips.find(({ ip_address }) => ip_address === wanted);
  if (found) return found;
  throw invalidInput(`Port ${port.id} does not have fixed ip ${wanted}`);
}
