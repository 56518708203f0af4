import { NetboxAllocates } from "../../../../../core/ports/ipam/netbox/allocates.ts";
import { NetboxMirrors } from "../../../../../core/ports/ipam/netbox/mirrors.ts";
import type { NetboxParent } from "../../../../../core/ports/ipam/netbox/object-type.ts";
import { NetboxApi } from "../../../../../core/ports/netbox/api.ts";
import { kinds } from "../../../../../core/resources/generated/kinds.ts";
import type { NetboxOptions } from "../../../../../sim/netbox/netbox.ts";
import { assignable, type Fields } from "../../../../../sim/netbox/types.ts";
import { testDeps } from "../../../../support/deps.ts";
import { netboxWorld } from "../../../../support/netbox.ts";
import type { VirtualClock } from "../../../../support/virtual-clock.ts";
import type { IpamWorld } from "../contract.ts";

/** A simulated NetBox that has the contract's pool: VLANs 100 to 119, the prefixes of these places, these addresses. */

const cidr = "10.64.0.0/18";
const length = 26;
const bare = { status: "active", description: "", tags: [], custom_fields: {} };

export const places = ["vlans", "prefixes", "addresses"] as const;
export type Of = (typeof places)[number];

function netboxOf(clock: VirtualClock, options: Pick<NetboxOptions, "version" | "isUnique">) {
  const world = netboxWorld(options, clock);
  const { records } = world.sim;
  records.add("extras.tag", { name: "Slipway", slug: "slipway" });
  for (const name of ["slipway_pool", "slipway_holder", "slipway_rests_until"])
    records.add("extras.customfield", {
      name,
      object_types: [...assignable],
      filter_logic: "loose",
    });
  const prefix = (text: string): number => {
    const fields: Fields["ipam.prefix"] = { ...bare, vlan: null, prefix: text };
    return records.add("ipam.prefix", fields).id;
  };
  const parent = prefix(cidr);
  // Somebody else has what lies before the pool and behind it.
  for (const taken of ["10.64.0.0/20", "10.64.16.0/21", "10.64.24.0/24"]) prefix(taken);
  for (const taken of ["10.64.30.0/23", "10.64.32.0/19"]) prefix(taken);
  const range = { start_address: "0.0.0.100/24", end_address: "0.0.0.119/24", status: "active" };
  const group = { name: "Orders", slug: "orders", vid_ranges: [[100, 119]] as [number, number][] };
  const placed: Record<Of, NetboxParent> = {
    vlans: { of: "vlans", group: records.add("ipam.vlangroup", group).id },
    prefixes: { of: "prefixes", parent, cidr, length },
    addresses: { of: "addresses", range: records.add("ipam.iprange", range).id },
  };
  const http = { url: world.url, wall: clock, timeout: 10_000, fetch: world.network.fetch };
  const api = new NetboxApi({ ...http, token: async () => world.sim.tokens.v2 });
  return { ...world, placed, api };
}

/** NetBox outlives the process that asks it, as its clock does here. */
const worlds = new WeakMap<VirtualClock, ReturnType<typeof netboxOf>>();

export function netboxOn(
  clock: VirtualClock,
  options: Pick<NetboxOptions, "version" | "isUnique"> = {},
) {
  const known = worlds.get(clock) ?? netboxOf(clock, options);
  worlds.set(clock, known);
  return known;
}

/** Slipway's own numbers, written into this NetBox. */
export const writtenIn =
  (of: Of, options: Pick<NetboxOptions, "version" | "isUnique"> = {}) =>
  ({ store, clock }: IpamWorld): NetboxMirrors => {
    const { api, placed } = netboxOn(clock, options);
    const deps = { ...testDeps(), store, kinds, clock };
    return new NetboxMirrors(deps, { api, placeOf: () => placed[of] });
  };

export const ipamIn =
  (of: Of, options: Pick<NetboxOptions, "version" | "isUnique"> = {}) =>
  ({ store, clock }: IpamWorld): NetboxAllocates => {
    const { api, placed } = netboxOn(clock, options);
    return new NetboxAllocates({ store, kinds, clock }, { api, placeOf: () => placed[of] });
  };
