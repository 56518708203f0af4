import type { SiteNetwork } from "../../core/at-site/site.ts";
import { openDatabase } from "../../sim/database.ts";
import { Faults } from "../../sim/faults.ts";
import { type NetboxOptions, SimulatedNetbox } from "../../sim/netbox/netbox.ts";
import { assignable, type Fields, type Termination } from "../../sim/netbox/types.ts";
import { RecordedFetch } from "./recorded-fetch.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** A simulated NetBox in virtual time, with a rack of servers behind patch panels. */
export function netboxWorld(
  options: Pick<NetboxOptions, "version" | "isUnique"> = {},
  clock = new VirtualClock(),
) {
  const database = openDatabase(":memory:");
  const faults = new Faults(database);
  const sim = new SimulatedNetbox({ database, clock, wall: clock, faults, ...options });
  const network = new RecordedFetch(sim.handle);
  return { clock, database, faults, sim, network, url: "https://netbox.test", rack: rackIn(sim) };
}

const role = { server: 1, switch: 2, panel: 3 } as const;

/** Adds what every server has around it, and answers what adds servers. */
export function rackIn({ records }: Pick<SimulatedNetbox, "records">) {
  const site = records.add("dcim.site", { name: "Hall 1", slug: "hall-1" }).id;
  for (const name of ["Server", "Switch", "Panel"])
    records.add("dcim.devicerole", { name, slug: name.toLowerCase() });
  const device_type = records.add("dcim.devicetype", {
    ...{ model: "PowerEdge R760", slug: "poweredge-r760" },
  }).id;
  const rack = records.add("dcim.rack", { name: "R01", site }).id;

  const device = (name: string, kind: keyof typeof role): number =>
    records.add("dcim.device", {
      ...{ name, serial: "", site, rack, role: role[kind], status: "active", device_type },
      ...{ tags: [], oob_ip: null },
    }).id;
  const cable = (a: Termination, b: Termination, status = "connected"): number =>
    records.add("dcim.cable", { status, a_terminations: [a], b_terminations: [b] }).id;
  const port = (of: number, name: string, fields: Partial<Fields["dcim.interface"]> = {}) =>
    records.add("dcim.interface", {
      ...{ device: of, name, type: "25gbase-x-sfp28", mgmt_only: false, mac_address: null },
      ...fields,
    }).id;
  const interfaceAt = (object_id: number): Termination => ({
    object_type: "dcim.interface",
    object_id,
  });

  const leaf = device("leaf-1", "switch");
  const panels = [device("panel-a", "panel"), device("panel-b", "panel")] as const;
  /** The rear ports of the panels are joined by trunks of twelve. */
  const trunks = new Map<number, { a: number; b: number }>();
  const trunkOf = (number: number) => {
    const index = Math.floor((number - 1) / 12);
    const known = trunks.get(index);
    if (known) return known;
    const [a, b] = panels.map(
      (panel) =>
        records.add("dcim.rearport", { device: panel, name: `Rear ${index}`, positions: 12 }).id,
    ) as [number, number];
    cable(
      { object_type: "dcim.rearport", object_id: a },
      { object_type: "dcim.rearport", object_id: b },
    );
    trunks.set(index, { a, b });
    return { a, b };
  };
  const front = (panel: number, rear_port: number, number: number): Termination => ({
    object_type: "dcim.frontport",
    object_id: records.add("dcim.frontport", {
      ...{ device: panel, name: `Front ${number}`, rear_port },
      rear_port_position: ((number - 1) % 12) + 1,
    }).id,
  });

  const cables = new Map<number, number>();
  return {
    ...{ site, device_type, leaf, device, port, cable, interfaceAt },
    /** A server whose eth0 leads through both panels to `Ethernet<number>` of leaf-1. */
    server({ name, number }: { name: string; number: number }): number {
      const id = device(name, "server");
      const mac_address = `52:54:00:00:${hex(number >> 8)}:${hex(number & 255)}`.toUpperCase();
      const eth0 = port(id, "eth0", { mac_address });
      port(id, "eth1", { mac_address: mac_address.replace(/^52/, "56") });
      port(id, "bond0", { type: "lag" });
      port(id, "idrac", { type: "1000base-t", mgmt_only: true });
      const trunk = trunkOf(number);
      const [near, far] = [front(panels[0], trunk.a, number), front(panels[1], trunk.b, number)];
      cable(interfaceAt(eth0), near);
      cables.set(id, cable(far, interfaceAt(port(leaf, `Ethernet${number}`))));
      return id;
    },
    /** Removes the cable between the far panel and the switch. */
    uncable(server: number): void {
      records.remove("dcim.cable", cables.get(server) ?? 0);
    },
    /** As NetBox does: with its interfaces and their cables. */
    remove(server: number): void {
      for (const one of records.list("dcim.interface")) {
        if (one.device !== server) continue;
        const at = interfaceAt(one.id);
        for (const { id, a_terminations } of records.list("dcim.cable"))
          if (
            a_terminations.some(
              (end) => end.object_type === at.object_type && end.object_id === one.id,
            )
          )
            records.remove("dcim.cable", id);
        records.remove("dcim.interface", one.id);
      }
      records.remove("dcim.device", server);
    },
  };
}

const hex = (number: number): string => number.toString(16).padStart(2, "0");

export type GivenOutBy = "slipway" | "netbox";

/** Adds what a site's numbers need in NetBox, and answers the site's allocator. */
export function allocatorIn(
  { records }: Pick<SimulatedNetbox, "records">,
  { vlans, prefixes, floating_ips }: SiteNetwork,
  given_out_by: GivenOutBy,
) {
  records.add("extras.tag", { name: "Slipway", slug: "slipway" });
  for (const name of ["slipway_pool", "slipway_holder", "slipway_rests_until"])
    records.add("extras.customfield", {
      name,
      object_types: [...assignable],
      filter_logic: "exact",
    });
  const vid_ranges: [number, number][] = [[vlans.first, vlans.last]];
  const bare = { description: "", tags: [], custom_fields: {}, vlan: null };
  const whole = { ...bare, status: "container", prefix: prefixes.cidr };
  const range = {
    start_address: `${floating_ips.first}/24`,
    end_address: `${floating_ips.last}/24`,
  };
  return {
    ...{ provider: "netbox", given_out_by },
    vlan_group: records.add("ipam.vlangroup", { name: "Orders", slug: "orders", vid_ranges }).id,
    prefix: records.add("ipam.prefix", whole).id,
    ip_range: records.add("ipam.iprange", { ...range, status: "active" }).id,
  };
}
