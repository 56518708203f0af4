import { asClusterId } from "../../../id.ts";
import { clusterLabel, tenantLabel } from "../../../resources/cluster/model.ts";
import {
  type FabricOrder,
  type FloatingIpUse,
  floatingIpUses,
  type HostLink,
  type OwnedRemnant,
} from "../fabric.ts";

type HostNic = Pick<HostLink, "host" | "mac">;

/**
 * Names of an order's things on the fabric. Neutron's names are not unique and tags come in a
 * second request, so the name and the description, both there from the first, have to suffice.
 */

/** Network, subnet and router; each other name begins with it. */
export const baseName = ({ infraId }: FabricOrder): string => `slipway-${infraId}`;

export const hostPortName = (order: FabricOrder, { host, mac }: HostNic): string =>
  `${baseName(order)}-${host}-${mac.replaceAll(":", "")}`;

/** The host whose port this is; undefined when it is none of this order's. */
export function hostOfPort(order: FabricOrder, portName: string): string | undefined {
  const base = `${baseName(order)}-`;
  return portName.startsWith(base)
    ? /^(.+)-[0-9a-f]{12}$/.exec(portName.slice(base.length))?.[1]
    : undefined;
}

/** A floating IP, and the port that holds its address inside. */
export const floatingIpName = (order: FabricOrder, use: FloatingIpUse): string =>
  `${baseName(order)}-${use}`;

export const floatingIpNames = (order: FabricOrder): string[] =>
  floatingIpUses.map((use) => floatingIpName(order, use));

/** For people, for floating IPs (they have no name), and for the sweep that finds orphans. */
export const descriptionOf = (name: string, { cluster, tenant }: FabricOrder): string =>
  `${name} ${clusterLabel}=${cluster} ${tenantLabel}=${tenant}`;

export const tagsOf = ({ cluster, tenant }: FabricOrder): string[] => [
  `${clusterLabel}=${cluster}`,
  `${tenantLabel}=${tenant}`,
];

const description = new RegExp(`^(slipway-\\S+) ${clusterLabel}=(\\S+) ${tenantLabel}=(\\S+)$`);

/** Name and order of what a description says is ours; undefined for everything else. */
export function parseDescription(
  text: string,
): Pick<OwnedRemnant, "name" | "cluster" | "tenant"> | undefined {
  const [, name, cluster, tenant] = description.exec(text) ?? [];
  if (name === undefined || cluster === undefined || tenant === undefined) return undefined;
  return { name, cluster: asClusterId(cluster), tenant };
}
