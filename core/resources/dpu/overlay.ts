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

/** The networks of tenants on a DPU: each NIC behind it in its subnet, with what may reach it and what may leave it. */
export interface OverlayNetwork {
  network: "overlay";
  interfaces: OverlayInterface[];
  /** The versions of what this was made of, by id: of networks, subnets and groups. */
  versions: Record<string, number>;
}

/** The version of a NAT gateway in what DPUs have: it is in there or not, and never changes. */
export const wayOutVersion = 1;

export interface OverlayInterface {
  /** The port of the DPU. */
  port: string;
  mac: string;
  vni: number;
  address: string;
  prefix_length: number;
  gateway: string;
  /** Its IPv6 address, where its subnet has both families. */
  ipv6?: { address: string; prefix_length: number; gateway: string };
  /** The DPU tells the host this gateway as its default route. */
  is_primary: boolean;
  /** The address to which its packets are translated that leave the network; absent: none of them do. */
  outside?: {
    address: string;
    /** What comes to the address is led in: it is of this interface alone, and no NAT gateway's. */
    leads_in: boolean;
  };
  /** Nothing else passes, but the replies to it. */
  allow: AllowedOverlay[];
}

/** Packets that may pass; those of ICMP are of the family of the other end. */
export interface AllowedOverlay extends Pick<GroupRule, "direction" | "protocol" | "ports"> {
  /** The prefixes at the other end. */
  remotes: string[];
}

/** An overlay network as its records are, with all that stand in it. */
export interface Overlay {
  network: VirtualNetwork;
  subnets: ReadonlyMap<string, Subnet>;
  /** Those that anything in it has, and those that their rules name. */
  groups: ReadonlyMap<string, SecurityGroup>;
  ends: readonly Dpu[];
  /** Its NAT gateway, while that is to be open. */
  wayOut?: Pick<NatGateway, "id" | "address">;
}

/** Where the NICs behind a DPU are, or may be still. */
export const standsOf = ({ stands = [], former }: Pick<Dpu, "stands" | "former">): DpuStand[] => [
  ...stands,
  ...(former?.stands ?? []).filter((from) => !stands.some((to) => isAt(from, to))),
];

/** An address in a subnet. */
export type OverlayPlace = Pick<DpuStand, "subnet" | "address">;

export const isAt = (one: OverlayPlace, other: OverlayPlace): boolean =>
  one.subnet === other.subnet && one.address === other.address;

/** What a DPU is to do with the NICs that stand in these networks. Pure: everything follows from the records. */
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

/** The addresses of what has a group, by the group's name outside. */
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
