import { lengthOf } from "../../core/prefix.ts";
import { pathFrom } from "./cabling.ts";
import type { NetboxRecords } from "./records.ts";
import { type Fields, type NetboxType, type RowOf, type Termination, types } from "./types.ts";

/** Records in the API's form: references are objects, choices have a label. */

type Views = { [T in NetboxType]?: (row: RowOf<T>, at: Views.At) => object };
declare namespace Views {
  interface At {
    records: NetboxRecords;
    /** The URL of the server. */
    origin: string;
  }
}

const labelled = (value: string) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
});

const displayOf = (row: { id: number }): string =>
  stackDisplayOf(row) ??
  (["name", "model", "prefix", "address"]
    .map((field) => (row as Record<string, unknown>)[field])
    .find((value) => typeof value === "string") as string);

/** The display of an unnamed stack member: the stack's name, its position and its id. */
function stackDisplayOf(row: { id: number } & Partial<Fields["dcim.device"]>): string | undefined {
  const { id, name, virtual_chassis: stack } = row;
  return name || !stack ? undefined : `${stack.name}:${stack.position} (${id})`;
}

/** The short form of a record within another. */
function brief<T extends NetboxType>(
  type: T,
  id: number,
  { records, origin }: Views.At,
  fields: readonly (keyof Fields[T])[],
) {
  const row = records.known(type, id);
  return {
    id,
    url: `${origin}/api/${types[type].path}/${id}/`,
    display: displayOf(row),
    ...Object.fromEntries(fields.map((field) => [field, row[field]])),
  };
}

const tagsOf = (ids: number[], at: Views.At) =>
  ids.map((id) => brief("extras.tag", id, at, ["name", "slug"]));

const portOf = ({ object_type, object_id }: Termination, at: Views.At) => {
  const row = at.records.known(object_type, object_id);
  return {
    ...brief(object_type, object_id, at, ["name"]),
    device: brief("dcim.device", row.device, at, ["name"]),
    description: "",
    cable: pathFrom(at.records, { object_type, object_id }).cable?.id ?? null,
    _occupied: true,
  };
};

const assigned = <T extends "ipam.vlan" | "ipam.prefix" | "ipam.ipaddress">(
  row: RowOf<T>,
  at: Views.At,
) => ({ ...row, status: labelled(row.status), tags: tagsOf(row.tags, at) });

const views: Views = {
  "dcim.rack": (row, at) => ({
    ...row,
    site: brief("dcim.site", row.site, at, ["name", "slug"]),
  }),
  "dcim.device": (row, at) => ({
    ...row,
    site: brief("dcim.site", row.site, at, ["name", "slug"]),
    rack: row.rack === null ? null : brief("dcim.rack", row.rack, at, ["name"]),
    role: brief("dcim.devicerole", row.role, at, ["name", "slug"]),
    device_type: brief("dcim.devicetype", row.device_type, at, ["model", "slug"]),
    status: labelled(row.status),
    oob_ip: row.oob_ip === null ? null : brief("ipam.ipaddress", row.oob_ip, at, ["address"]),
    tags: tagsOf(row.tags, at),
    config_context: {},
  }),
  "dcim.interface"(row, at) {
    const path = pathFrom(at.records, { object_type: "dcim.interface", object_id: row.id });
    const { cable, end, peers, ends, isReachable } = path;
    return {
      ...row,
      device: brief("dcim.device", row.device, at, ["name"]),
      type: labelled(row.type),
      cable: cable ? { id: cable.id, url: `${at.origin}/api/dcim/cables/${cable.id}/` } : null,
      cable_end: end,
      link_peers: peers.map((peer) => portOf(peer, at)),
      link_peers_type: peers[0]?.object_type ?? null,
      connected_endpoints: ends.length === 0 ? null : ends.map((one) => portOf(one, at)),
      connected_endpoints_type: ends[0]?.object_type ?? null,
      connected_endpoints_reachable: isReachable,
      _occupied: cable !== undefined,
    };
  },
  "ipam.vlangroup": (row, at) => ({
    ...row,
    total_vlan_ids: row.vid_ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0),
    vlan_count: at.records.list("ipam.vlan").filter(({ group }) => group === row.id).length,
  }),
  "ipam.vlan": (row, at) => ({
    ...assigned<"ipam.vlan">(row, at),
    group: row.group === null ? null : brief("ipam.vlangroup", row.group, at, ["name", "slug"]),
  }),
  "ipam.prefix": (row, at) => ({
    ...assigned<"ipam.prefix">(row, at),
    family: { value: 4, label: "IPv4" },
    vlan: row.vlan === null ? null : brief("ipam.vlan", row.vlan, at, ["vid", "name"]),
  }),
  "ipam.iprange": (row) => ({ ...row, status: labelled(row.status) }),
  "ipam.ipaddress": (row, at) => ({
    ...assigned<"ipam.ipaddress">(row, at),
    family: { value: 4, label: "IPv4" },
    prefix_length: lengthOf(row.address),
  }),
  "core.objectchange": (row) => ({ ...row, action: labelled(row.action) }),
};

/** A record in the API's form; only the named fields if there are any. */
export function viewOf<T extends NetboxType>(
  type: T,
  row: RowOf<T>,
  at: Views.At,
  fields?: string | null,
): object {
  // A view accepts rows of its own type, which the compiler cannot infer.
  const view = views[type] as ((row: RowOf<T>, at: Views.At) => object) | undefined;
  const whole: Record<string, unknown> = {
    ...(view ? view(row, at) : row),
    url: `${at.origin}/api/${types[type].path}/${row.id}/`,
    display: displayOf(row),
  };
  if (!fields) return whole;
  const wanted = fields.split(",").filter((field) => field in whole);
  return Object.fromEntries(wanted.map((field) => [field, whole[field]]));
}
