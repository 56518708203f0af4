/** The records of a simulated NetBox: the fields that its database has, references as ids. */

interface Assignable {
  status: string;
  description: string;
  tags: number[];
  custom_fields: Record<string, unknown>;
}

export interface Termination {
  object_type: "dcim.interface" | "dcim.frontport" | "dcim.rearport";
  object_id: number;
}

export interface Fields {
  "dcim.site": { name: string; slug: string };
  "dcim.rack": { name: string; site: number };
  "dcim.devicerole": { name: string; slug: string };
  "dcim.devicetype": { model: string; slug: string };
  "dcim.device": {
    name: string | null;
    serial: string;
    site: number;
    rack: number | null;
    role: number;
    status: string;
    device_type: number;
    tags: number[];
    oob_ip: number | null;
    /** The stack (virtual chassis) that it belongs to. */
    virtual_chassis?: { name: string; position: number };
  };
  "dcim.interface": {
    device: number;
    name: string;
    type: string;
    mgmt_only: boolean;
    mac_address: string | null;
  };
  "dcim.rearport": { device: number; name: string; positions: number };
  "dcim.frontport": {
    device: number;
    name: string;
    rear_port: number;
    rear_port_position: number;
  };
  "dcim.cable": { status: string; a_terminations: Termination[]; b_terminations: Termination[] };
  "ipam.vlangroup": { name: string; slug: string; vid_ranges: [number, number][] };
  "ipam.vlan": Assignable & { vid: number; name: string; group: number | null };
  "ipam.prefix": Assignable & { prefix: string; vlan: number | null };
  "ipam.iprange": { start_address: string; end_address: string; status: string };
  "ipam.ipaddress": Assignable & {
    address: string;
    dns_name: string;
    assigned_object_id: number | null;
  };
  "extras.tag": { name: string; slug: string };
  "extras.customfield": {
    name: string;
    object_types: string[];
    filter_logic: "disabled" | "loose" | "exact";
  };
  "core.objectchange": {
    time: string;
    action: "create" | "update" | "delete";
    changed_object_type: string;
    changed_object_id: number;
    prechange_data: object | null;
    postchange_data: object | null;
  };
}

export type NetboxType = keyof Fields;
export type RowOf<T extends NetboxType> = Fields[T] & {
  id: number;
  created: string;
  last_updated: string;
};

/** The last part of each type's path, and its name in messages. */
export const types: Record<NetboxType, { path: string; label: string }> = {
  "dcim.site": { path: "dcim/sites", label: "Site" },
  "dcim.rack": { path: "dcim/racks", label: "Rack" },
  "dcim.devicerole": { path: "dcim/device-roles", label: "DeviceRole" },
  "dcim.devicetype": { path: "dcim/device-types", label: "DeviceType" },
  "dcim.device": { path: "dcim/devices", label: "Device" },
  "dcim.interface": { path: "dcim/interfaces", label: "Interface" },
  "dcim.rearport": { path: "dcim/rear-ports", label: "RearPort" },
  "dcim.frontport": { path: "dcim/front-ports", label: "FrontPort" },
  "dcim.cable": { path: "dcim/cables", label: "Cable" },
  "ipam.vlangroup": { path: "ipam/vlan-groups", label: "VLANGroup" },
  "ipam.vlan": { path: "ipam/vlans", label: "VLAN" },
  "ipam.prefix": { path: "ipam/prefixes", label: "Prefix" },
  "ipam.iprange": { path: "ipam/ip-ranges", label: "IPRange" },
  "ipam.ipaddress": { path: "ipam/ip-addresses", label: "IPAddress" },
  "extras.tag": { path: "extras/tags", label: "Tag" },
  "extras.customfield": { path: "extras/custom-fields", label: "CustomField" },
  "core.objectchange": { path: "core/object-changes", label: "ObjectChange" },
};
export const typeNames = Object.keys(types) as NetboxType[];

/** The types that clients may write. */
export const assignable = ["ipam.vlan", "ipam.prefix", "ipam.ipaddress"] as const;
export type AssignableType = (typeof assignable)[number];

export const statuses: Partial<Record<NetboxType, readonly string[]>> = {
  "dcim.device": [
    "offline",
    "active",
    "planned",
    "staged",
    "failed",
    "inventory",
    "decommissioning",
  ],
  "ipam.vlan": ["active", "reserved", "deprecated"],
  "ipam.prefix": ["container", "active", "reserved", "deprecated"],
  "ipam.ipaddress": ["active", "reserved", "deprecated", "dhcp", "slaac"],
};
