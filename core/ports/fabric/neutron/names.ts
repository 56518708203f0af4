import { type Owner, parseTagText, type TaggedOwner, tagTextOf } from "../../owner.ts";
import type { HostLink, OwnedNetwork } from "../fabric.ts";

type HostNic = Pick<HostLink, "host" | "mac">;

/**
 * Names of a network's objects on the fabric. Neutron's names are not unique, and tags need a
 * second request. So name and description, which the first request sets, must identify an object.
 */

/** The name of the network, subnet and router; each other name begins with it. */
export const baseName = ({ name }: Pick<Owner, "name">): string => `slipway-${name}`;

export const hostPortName = (network: OwnedNetwork, { host, mac }: HostNic): string =>
  `${baseName(network)}-${host}-${mac.replaceAll(":", "")}`;

/** The host of a port, by the port's name; undefined if the port is not this network's. */
export function hostOfPort(network: OwnedNetwork, portName: string): string | undefined {
  const base = `${baseName(network)}-`;
  return portName.startsWith(base)
    ? /^(.+)-[0-9a-f]{12}$/.exec(portName.slice(base.length))?.[1]
    : undefined;
}

/** The name of a floating IP, and of the port that reserves its inside address. */
export const floatingIpName = (network: OwnedNetwork, use: string): string =>
  `${baseName(network)}-${use}`;

export const floatingIpNames = (network: OwnedNetwork): string[] =>
  network.uses.map((use) => floatingIpName(network, use));

/** Whether a port is one of the owner's: a host's, or one that reserves an inside address. */
export const isPortOf = (network: OwnedNetwork, portName: string): boolean =>
  hostOfPort(network, portName) !== undefined || floatingIpNames(network).includes(portName);

/**
 * The description of an object: for people, to identify floating IPs (which have no name), and for the sweep
 * that finds orphans.
 */
export const descriptionOf = (name: string, owner: TaggedOwner): string =>
  `${name} ${tagTextOf(owner)}`;

/** Name and owner from a description that Slipway wrote; undefined for any other text. */
export function parseDescription(text: string): { name: string; owner: TaggedOwner } | undefined {
  const [, name, tags] = /^(slipway-\S+) (.+)$/.exec(text) ?? [];
  const owner = tags === undefined ? undefined : parseTagText(tags);
  return name === undefined || !owner?.tenant ? undefined : { name, owner };
}
