import ipaddr from "ipaddr.js";
import * as z from "zod";
import { parseTagText, type TaggedOwner, tagTextOf } from "../../owner.ts";
import type { OwnedSubnet, Reservation, SubnetPlan } from "../dhcp.ts";

/** Kea's subnets and reservations. */

/** The member of `user-context` with the ownership tag; Kea stores `user-context` without reading it. */
const tag = "slipway.dev/owner";

const contextSchema = z.record(z.string(), z.unknown()).optional();

const hostSchema = z.object({
  "hw-address": z.string().optional(),
  "ip-address": z.string().optional(),
  "next-server": z.string().optional(),
  "boot-file-name": z.string().optional(),
  "user-context": contextSchema,
});
type KeaHost = z.infer<typeof hostSchema>;
export const hostsSchema = z.object({ hosts: z.array(hostSchema) });

const subnetSchema = z.object({
  id: z.int(),
  subnet: z.string(),
  pools: z.array(z.object({ pool: z.string() })).default([]),
  "option-data": z
    .array(z.object({ name: z.string().optional(), data: z.string().optional() }))
    .default([]),
  "user-context": contextSchema,
});
export type KeaSubnet = z.infer<typeof subnetSchema>;

/** The answer of `subnet4-get`: the manual calls its list `subnets`, and Kea sends `subnet4`. */
export const foundSchema = z
  .object({ subnet4: z.array(subnetSchema).optional(), subnets: z.array(subnetSchema).optional() })
  .transform(({ subnet4, subnets }) => (subnet4 ?? subnets ?? [])[0]);

/** All subnets in the answer of `config-get`, including those of shared networks. */
export const configSchema = z
  .object({
    Dhcp4: z.object({
      subnet4: z.array(subnetSchema).default([]),
      "shared-networks": z
        .array(z.object({ subnet4: z.array(subnetSchema).default([]) }))
        .default([]),
    }),
  })
  .transform(({ Dhcp4 }) => [
    ...Dhcp4.subnet4,
    ...Dhcp4["shared-networks"].flatMap(({ subnet4 }) => subnet4),
  ]);

export const leasesSchema = z.object({ leases: z.array(z.object({ "ip-address": z.string() })) });

/**
 * Kea's id of a subnet: its network address as a number. So it is known before the subnet exists and after
 * its deletion, and prefixes that do not overlap never share an id.
 */
export const idOf = ({ prefix }: Pick<OwnedSubnet, "prefix">): number =>
  ipaddr.IPv4.networkAddressFromCIDR(prefix)
    .toByteArray()
    .reduce((sum, byte) => sum * 256 + byte, 0);

/** Whether an address is in the prefix. */
export const isIn = ({ prefix }: Pick<OwnedSubnet, "prefix">, address: string): boolean =>
  ipaddr.IPv4.isValid(address) && ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parseCIDR(prefix));

const contextOf = (owner: TaggedOwner) => ({ [tag]: tagTextOf(owner) });

/** The owner in the ownership tag of a Kea object; undefined if it is not ours. */
export function keaOwnerIn(object: Pick<KeaSubnet, "user-context">): TaggedOwner | undefined {
  const text = object["user-context"]?.[tag];
  return typeof text === "string" ? parseTagText(text) : undefined;
}

export const subnetFor = (subnet: OwnedSubnet, { gateway, range, dnsServers }: SubnetPlan) => ({
  id: idOf(subnet),
  subnet: subnet.prefix,
  pools: range ? [{ pool: `${range.first} - ${range.last}` }] : [],
  "option-data": [
    { name: "routers", data: gateway },
    ...(dnsServers.length > 0
      ? [{ name: "domain-name-servers", data: dnsServers.join(", ") }]
      : []),
  ],
  "user-context": contextOf(subnet),
});

/**
 * Whether Kea serves the subnet by this plan. Kea writes ranges without spaces, and adds members of its own.
 */
export function isServed(found: KeaSubnet, wanted: ReturnType<typeof subnetFor>): boolean {
  const shape = ({ pools, "option-data": options }: Pick<KeaSubnet, "pools" | "option-data">) =>
    JSON.stringify([
      pools.map(({ pool }) => withoutSpaces(pool)),
      options.map(({ name = "", data = "" }) => `${name}=${withoutSpaces(data)}`).sort(),
    ]);
  return found.id === wanted.id && shape(found) === shape(wanted);
}

const withoutSpaces = (text: string): string => text.replaceAll(" ", "");

export const keaHostFor = (subnet: OwnedSubnet, { mac, address, boot }: Reservation) => ({
  "subnet-id": idOf(subnet),
  "hw-address": mac,
  ...(address !== undefined && { "ip-address": address }),
  ...(boot && { "next-server": boot.server, "boot-file-name": boot.file }),
  "user-context": contextOf(subnet),
});

/** Kea answers absent members of a reservation as empty, or as the address 0.0.0.0. */
export function reservationOf(host: KeaHost): Reservation {
  const { "ip-address": address, "next-server": server, "boot-file-name": file } = host;
  const given = (text: string | undefined): text is string =>
    text !== undefined && text !== "" && text !== "0.0.0.0";
  return {
    mac: (host["hw-address"] ?? "").toLowerCase(),
    ...(given(address) && { address }),
    ...(given(server) && given(file) && { boot: { server, file } }),
  };
}
