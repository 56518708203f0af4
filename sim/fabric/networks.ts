import * as z from "zod";
import { conflict, invalidInput, NeutronFault, notFound } from "./error.ts";
import type { NetworkRecord } from "./records.ts";
import { given, named, resource } from "./resource.ts";
import type { FabricState } from "./state.ts";

const created = z.strictObject({
  ...named,
  admin_state_up: z.boolean().default(true),
  shared: z.boolean().default(false),
  mtu: z.int().min(68).optional(),
  "router:external": z.boolean().default(false),
  "provider:network_type": z.enum(["vlan"]).default("vlan"),
  "provider:physical_network": z.string().optional(),
  "provider:segmentation_id": z.int().optional(),
});

const updated = z.strictObject({
  ...named,
  admin_state_up: z.boolean().optional(),
  mtu: z.int().min(68).optional(),
});

export const networks = resource({
  kind: "network",
  collection: "networks",
  missing: { type: "NetworkNotFound", text: (id) => `Network ${id} could not be found.` },
  create: created,
  update: updated,

  make(state, input) {
    const physical = input["provider:physical_network"];
    const vlan = claimVlan(state, physical, input["provider:segmentation_id"]);
    return state.make("network", {
      ...given({ name: input.name, description: input.description }),
      admin_state_up: input.admin_state_up,
      shared: input.shared,
      external: input["router:external"],
      mtu: input.mtu ?? 1500,
      physical_network: physical ?? state.context.settings.physicalNetwork,
      vlan,
    });
  },

  change: (state, network, input) => state.change("network", network, given(input)),

  remove(state, { id }) {
    const ports = state.records.all("port").filter((port) => port.network_id === id);
    const users = ports.filter((port) => port.device_owner !== "network:dhcp");
    const floating = state.records
      .all("floatingip")
      .filter((floatingIp) => floatingIp.floating_network_id === id);
    if (users.length + floating.length > 0) {
      const ids = [...users, ...floating].map((user) => user.id).join(",");
      throw conflict(
        "NetworkInUse",
        `Unable to complete operation on network ${id}. There are one or more ports still in use on the network, id for these ports is: ${ids}.`,
      );
    }
    for (const port of ports) state.records.remove("port", port.id);
    for (const subnet of subnetsOf(state, id)) state.records.remove("subnet", subnet.id);
    // Removes the VLAN from every switch, including ports that kept it after a failed removal.
    for (const residue of state.records.all("residue")) {
      if (residue.network_id === id) state.records.remove("residue", residue.id);
    }
    state.records.remove("network", id);
  },

  view: (state, network) => ({
    status: "ACTIVE",
    admin_state_up: network.admin_state_up,
    shared: network.shared,
    mtu: network.mtu,
    "router:external": network.external,
    "provider:network_type": network.vlan === null ? "flat" : "vlan",
    "provider:physical_network": network.physical_network,
    "provider:segmentation_id": network.vlan,
    subnets: subnetsOf(state, network.id).map(({ id }) => id),
    l2_adjacency: true,
    port_security_enabled: true,
    availability_zones: ["nova"],
  }),
});

export const subnetsOf = (state: FabricState, network: string) =>
  state.records.all("subnet").filter((subnet) => subnet.network_id === network);

/** The network with this id. Throws NetworkNotFound. */
export function networkOf(state: FabricState, id: string): NetworkRecord {
  const network = state.records.get("network", id);
  if (!network) throw notFound("NetworkNotFound", `Network ${id} could not be found.`);
  return network;
}

function claimVlan(state: FabricState, physical: string | undefined, wanted: number | undefined) {
  const { physicalNetwork, vlans } = state.context.settings;
  if (physical === undefined && wanted !== undefined) {
    throw invalidInput("segmentation_id requires physical_network for VLAN provider network");
  }
  if (physical !== undefined && physical !== physicalNetwork) {
    throw invalidInput(`physical_network '${physical}' unknown for VLAN provider network`);
  }
  const taken = new Set(state.records.all("network").map(({ vlan }) => vlan));
  if (wanted !== undefined) {
    if (wanted < 1 || wanted > 4094) {
      throw invalidInput("segmentation_id out of range (1 through 4094)");
    }
    if (taken.has(wanted)) {
      throw conflict(
        "VlanIdInUse",
        `Unable to create the network. The VLAN ${wanted} on physical network ${physicalNetwork} is in use.`,
      );
    }
    return wanted;
  }
  for (let vlan = vlans.first; vlan <= vlans.last; vlan++) if (!taken.has(vlan)) return vlan;
  throw new NeutronFault(
    503,
    "NoNetworkAvailable",
    "Unable to create the network. No tenant network is available for allocation.",
  );
}
