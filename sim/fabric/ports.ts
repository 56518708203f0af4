import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { isAddress } from "./addresses.ts";
import { conflict } from "./error.ts";
import { allocate } from "./fixed-ips.ts";
import { networkOf } from "./networks.ts";
import type { PortRecord } from "./records.ts";
import { given, named, resource } from "./resource.ts";
import { defaultGroups, requireGroups } from "./security-groups.ts";
import type { FabricState } from "./state.ts";
import { plug, SwitchFailure, switchPortOf, unplug } from "./switches.ts";

const mac = z
  .string()
  .regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i, "is not a valid MAC address")
  .transform((text) => text.toLowerCase());

const changeable = {
  ...named,
  admin_state_up: z.boolean().optional(),
  mac_address: mac.optional(),
  fixed_ips: z
    .array(
      z.strictObject({
        subnet_id: z.string().optional(),
        ip_address: z.string().refine(isAddress, "is not a valid IP address").optional(),
      }),
    )
    .optional(),
  security_groups: z.array(z.string()).nullish(),
  port_security_enabled: z.boolean().optional(),
  device_id: z.string().max(255).optional(),
  device_owner: z.string().max(255).optional(),
  "binding:vnic_type": z.enum(["normal", "baremetal", "direct"]).optional(),
  "binding:host_id": z.string().max(255).optional(),
  "binding:profile": z.record(z.string(), z.unknown()).optional(),
};

export const ports = resource({
  kind: "port",
  collection: "ports",
  missing: { type: "PortNotFound", text: (id) => `Port ${id} could not be found.` },
  create: z.strictObject({
    ...changeable,
    network_id: z.string(),
    tags: z.array(z.string()).optional(),
  }),
  update: z.strictObject(changeable),

  make(state, input) {
    const network = networkOf(state, input.network_id);
    const address = input.mac_address ?? newMac(state);
    requireFreeMac(state, network.id, address);
    const port = state.make("port", {
      ...given({ name: input.name, description: input.description, tags: input.tags }),
      network_id: network.id,
      mac_address: address,
      admin_state_up: input.admin_state_up ?? true,
      fixed_ips: allocate(state, network.id, input.fixed_ips, {
        mac_address: address,
        device_owner: input.device_owner ?? "",
      }),
      device_id: input.device_id ?? "",
      device_owner: input.device_owner ?? "",
      ...unbound,
      ...securityOf(state, input),
      ...bindingIn(input),
    });
    try {
      return bind(state, port);
    } catch (error) {
      if (error instanceof SwitchFailure) state.records.remove("port", port.id);
      throw error;
    }
  },

  change(state, port, input) {
    const { mac_address: wanted, fixed_ips: ips } = input;
    if (wanted !== undefined && wanted !== port.mac_address) {
      if (port.vif_type === "other") throw portBound(port, wanted);
      requireFreeMac(state, port.network_id, wanted);
    }
    const changed = state.change("port", port, {
      ...given({
        name: input.name,
        description: input.description,
        admin_state_up: input.admin_state_up,
        mac_address: wanted,
        device_id: input.device_id,
        device_owner: input.device_owner,
      }),
      ...(ips && { fixed_ips: allocate(state, port.network_id, ips, port) }),
      ...securityOf(state, input, port),
      ...bindingIn(input),
    });
    return rebind(state, port, changed);
  },

  remove(state, port) {
    if (/^network:(router|floatingip)/.test(port.device_owner)) {
      throw conflict(
        "ServicePortInUse",
        `Port ${port.id} cannot be deleted directly via the port API: has device owner ${port.device_owner}.`,
      );
    }
    unplug(state, port);
    for (const floatingIp of state.records.all("floatingip")) {
      if (floatingIp.port_id !== port.id) continue;
      const nowhere = { port_id: null, fixed_ip_address: null, router_id: null, active_at: null };
      state.change("floatingip", floatingIp, nowhere);
    }
    state.records.remove("port", port.id);
  },

  view: (state, port) => ({
    network_id: port.network_id,
    mac_address: port.mac_address,
    admin_state_up: port.admin_state_up,
    status: state.isPast(port.active_at) ? "ACTIVE" : "DOWN",
    fixed_ips: port.fixed_ips,
    device_id: port.device_id,
    device_owner: port.device_owner,
    "binding:vnic_type": port.vnic_type,
    "binding:host_id": port.host_id,
    "binding:profile": port.profile,
    "binding:vif_type": port.vif_type,
    "binding:vif_details": {},
    security_groups: port.security_groups,
    port_security_enabled: port.port_security_enabled,
    allowed_address_pairs: [],
    extra_dhcp_opts: [],
  }),
});

/** A port without a host, and without port security, as the fabric's own ports are. */
export const unbound: Pick<
  PortRecord,
  | "vnic_type"
  | "host_id"
  | "profile"
  | "vif_type"
  | "plugged"
  | "security_groups"
  | "port_security_enabled"
  | "active_at"
> = {
  vnic_type: "normal",
  host_id: "",
  profile: {},
  vif_type: "unbound",
  plugged: null,
  security_groups: [],
  port_security_enabled: false,
  active_at: null,
};

/** The security of a port; by default the project's default group. */
function securityOf(
  state: FabricState,
  input: {
    security_groups?: string[] | null | undefined;
    port_security_enabled?: boolean | undefined;
  },
  before?: PortRecord,
): Pick<PortRecord, "security_groups" | "port_security_enabled"> {
  const isEnabled = input.port_security_enabled ?? before?.port_security_enabled ?? true;
  const usual = isEnabled ? defaultGroups(state) : [];
  const said = before && input.security_groups === null ? [] : input.security_groups;
  const groups = said ?? before?.security_groups ?? usual;
  if (!isEnabled && groups.length > 0) {
    throw conflict(
      "PortSecurityPortHasSecurityGroup",
      "Port has security group associated. Cannot disable port security or IP address until security group is removed.",
    );
  }
  return { security_groups: requireGroups(state, groups), port_security_enabled: isEnabled };
}

const bindingIn = (input: {
  "binding:vnic_type"?: string | undefined;
  "binding:host_id"?: string | undefined;
  "binding:profile"?: Record<string, unknown> | undefined;
}) =>
  given({
    vnic_type: input["binding:vnic_type"],
    host_id: input["binding:host_id"],
    profile: input["binding:profile"],
  });

/** Binds a port. A failed binding is no error, but shows in the port. Throws SwitchFailure. */
function bind(state: FabricState, port: PortRecord): PortRecord {
  if (port.host_id === "") return port;
  // Left unbound, because this cloud has no agent for the ports of virtual machines.
  const at = port.vnic_type === "baremetal" ? switchPortOf(state, port.profile) : undefined;
  if (!at)
    return write(state, port, { vif_type: "binding_failed", plugged: null, active_at: null });
  const bound = write(state, port, { vif_type: "other", plugged: at, active_at: null });
  return write(state, bound, { active_at: plug(state, at) });
}

function rebind(state: FabricState, before: PortRecord, port: PortRecord): PortRecord {
  const isSame =
    before.host_id === port.host_id &&
    before.vnic_type === port.vnic_type &&
    isDeepStrictEqual(before.profile, port.profile);
  if (before.vif_type === "other" && isSame) return plugAgain(state, port);
  unplug(state, before);
  const { vif_type, plugged, active_at } = unbound;
  return bind(state, write(state, port, { vif_type, plugged, active_at }));
}

/**
 * Binds a port again after a failure at its switch, and ignores a second failure; does nothing for a port that is up.
 */
function plugAgain(state: FabricState, port: PortRecord): PortRecord {
  if (port.active_at !== null || !port.plugged) return port;
  try {
    return write(state, port, { active_at: plug(state, port.plugged) });
  } catch (error) {
    if (error instanceof SwitchFailure) return port;
    throw error;
  }
}

/** Changes a record without a new revision, within the same request. */
function write(state: FabricState, port: PortRecord, changes: Partial<PortRecord>): PortRecord {
  const written = { ...port, ...changes };
  state.records.put("port", written);
  return written;
}

function requireFreeMac(state: FabricState, network: string, address: string): void {
  const isTaken = state.records
    .all("port")
    .some((port) => port.network_id === network && port.mac_address === address);
  if (!isTaken) return;
  throw conflict(
    "MacAddressInUse",
    `Unable to complete operation for network ${network}. The mac address ${address} is in use.`,
  );
}

const portBound = (port: PortRecord, wanted: string) =>
  conflict(
    "PortBound",
    `Unable to complete operation on port ${port.id}, port is already bound, port type: ${port.vif_type}, old_mac ${port.mac_address}, new_mac ${wanted}.`,
  );

export function newMac(state: FabricState): string {
  const bytes = Array.from({ length: 3 }, () => Math.floor(state.context.random() * 256));
  return `fa:16:3e:${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(":")}`;
}
