import { ownerOf } from "../../at-site/owner.ts";
import { defaultGroupOf, defaultRulesOf, type GroupRule } from "../../ports/network/network.ts";
import { type Family, lengthOf } from "../../prefix.ts";
import type { NatGateway } from "../nat-gateway/model.ts";
import type { SecurityGroup } from "../security-group/model.ts";
import { plannedRules } from "../security-group/plan.ts";
import { plansOf, sixOf } from "../subnet/addresses.ts";
import type { Subnet } from "../subnet/model.ts";
import type { VirtualNetwork } from "../virtual-network/model.ts";
import type { Dpu, DpuStand } from "./model.ts";

/**
 * The configuration of tenants' networks on a DPU: each NIC behind it in its subnet, with the permitted
 * traffic.
 */
export interface OverlayNetwork {
  network: "overlay";
  interfaces: OverlayInterface[];
  /** The versions of the networks, subnets and groups from which this was computed, by id. */
  versions: Record<string, number>;
}

/** The version of every NAT gateway in the configuration; a constant, because a gateway never changes. */
export const wayOutVersion = 1;

export interface OverlayInterface {
  /** The port of the DPU. */
  port: string;
  mac: string;
  vni: number;
  address: string;
  prefix_length: number;
  gateway: string;
  /** Its IPv6 address, if its subnet has both families. */
  ipv6?: { address: string; prefix_length: number; gateway: string };
  /** Whether the DPU announces this gateway to the host as its default route. */
  is_primary: boolean;
  /** The source address of packets that leave the network; if absent, no packets leave it. */
  outside?: {
    address: string;
    /** Whether packets to the address are let in: it belongs to this interface alone, not to a NAT gateway. */
    leads_in: boolean;
  };
  /** The permitted traffic; replies are permitted too, and nothing else is. */
  allow: AllowedOverlay[];
}

/** Permitted packets; for ICMP, the IP family is that of the remote prefixes. */
export interface AllowedOverlay extends Pick<GroupRule, "direction" | "protocol" | "ports"> {
  /** The prefixes of the remote end. */
  remotes: string[];
}

/** An overlay network by its present records, with all NICs in it. */
export interface Overlay {
  network: VirtualNetwork;
  subnets: ReadonlyMap<string, Subnet>;
  /** The groups of all NICs in it, and the groups that their rules name. */
  groups: ReadonlyMap<string, SecurityGroup>;
  ends: readonly Dpu[];
  /** Its NAT gateway; absent if it has none, or is closing it. */
  wayOut?: Pick<NatGateway, "id" | "address">;
}

/** The present places of the NICs behind a DPU, and previous ones that may still be in effect. */
export const standsOf = ({ stands = [], former }: Pick<Dpu, "stands" | "former">): DpuStand[] => [
  ...stands,
  ...(former?.stands ?? []).filter((from) => !stands.some((to) => isSamePlace(from, to))),
];

/** An address in a subnet. */
export type OverlayPlace = Pick<DpuStand, "subnet" | "address">;

export const isSamePlace = (one: OverlayPlace, other: OverlayPlace): boolean =>
  one.subnet === other.subnet && one.address === other.address;

/** The configuration of a DPU for the NICs in these networks. Pure: it follows from the records alone. */
export function overlayNetwork(
  stands: readonly DpuStand[],
  overlays: ReadonlyMap<string, Overlay>,
): OverlayNetwork {
  const versions: Record<string, number> = {};
  const interfaces = stands.flatMap((stand): OverlayInterface[] => {
    const overlay = overlays.get(stand.network);
    const subnet = overlay?.subnets.get(stand.subnet);
    const [plan, six] = subnet ? plansOf(subnet.spec) : [];
    const address6 = subnet && sixOf(subnet.spec, stand.address);
    const { vni } = overlay?.network ?? {};
    if (!overlay || !subnet || !plan || vni === undefined) return [];
    versions[overlay.network.id] = overlay.network.spread?.wanted ?? 0;
    versions[subnet.id] = subnet.spread?.wanted ?? 0;
    for (const id of stand.groups) versions[id] = overlay.groups.get(id)?.wanted ?? 0;
    const { wayOut } = overlay;
    if (wayOut) versions[wayOut.id] = wayOutVersion;
    const outside = stand.external ?? wayOut;
    return [
      {
        ...{ port: stand.port, mac: stand.mac, vni, address: stand.address },
        ...{ prefix_length: lengthOf(plan.cidr), gateway: plan.gateway },
        ...(six &&
          address6 !== undefined && {
            ipv6: { address: address6, prefix_length: lengthOf(six.cidr), gateway: six.gateway },
          }),
        is_primary: stand.isPrimary,
        ...(outside && {
          outside: { address: outside.address, leads_in: stand.external !== undefined },
        }),
        allow: rulesOf(stand, overlay).flatMap((rule) => allowed(rule, overlay)),
      },
    ];
  });
  return { network: "overlay", interfaces, versions };
}

const rulesOf = ({ groups: ids }: DpuStand, { network, groups }: Overlay): readonly GroupRule[] => {
  if (ids.length === 0) return defaultRulesOf(ownerOf(network)).rules;
  return ids.flatMap((id) => {
    const group = groups.get(id);
    return group ? plannedRules(group, groups) : [];
  });
};

function allowed({ direction, family, protocol, ports, remote }: GroupRule, overlay: Overlay) {
  const remotes = "cidr" in remote ? [remote.cidr] : membersOf(remote.group.name, family, overlay);
  if (remotes.length === 0) return [];
  return [{ direction, protocol, ...(ports && { ports }), remotes }];
}

/** The addresses of the members of a group, by the group's name outside. */
function membersOf(
  name: string,
  family: Family,
  { network, groups, ends, subnets }: Overlay,
): string[] {
  const isDefault = defaultGroupOf(ownerOf(network)).name === name;
  const has = (stand: DpuStand) =>
    stand.network === network.id &&
    (stand.groups.length === 0
      ? isDefault
      : stand.groups.some((id) => groups.get(id)?.infra_id === name));
  return ends
    .flatMap((end) => standsOf(end).filter(has))
    .flatMap(({ address, subnet }) => {
      if (family === "ipv4") return [`${address}/32`];
      const spec = subnets.get(subnet)?.spec;
      const six = spec && sixOf(spec, address);
      return six === undefined ? [] : [`${six}/128`];
    })
    .sort();
}
