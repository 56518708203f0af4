import ipaddr from "ipaddr.js";
import * as z from "zod";
import { type Reservation, reservationSchema, type Subnet, subnetSchema } from "./config.ts";
import type { SimulatedKea } from "./kea.ts";

/** The arguments of commands, and Kea's messages for invalid ones. */

/** Makes a command fail with this text, and result 1. */
export class Refusal extends Error {}

export const subnetId = z.object({
  "subnet-id": z.int({ error: "missing parameter 'subnet-id'" }),
});

export const leasesOf = z.object({
  subnets: z.array(z.int(), { error: "'subnets' parameter must be a list" }),
});

export function theSubnet(command: string, args: unknown): Subnet {
  const number = `invalid number of subnets specified for the '${command}' command. Expected one subnet`;
  const [subnet] = z
    .strictObject({ subnet4: z.array(subnetSchema).length(1, { error: number }) })
    .parse(args).subnet4;
  if (!subnet) throw new Refusal(number);
  const prefix = ipaddr.IPv4.parseCIDR(subnet.subnet);
  for (const { pool } of subnet.pools) {
    const bounds = pool.split("-").map((text) => text.trim());
    if (bounds.length !== 2 || !bounds.every((text) => ipaddr.IPv4.isValid(text)))
      throw new Refusal(
        `invalid pool definition: ${pool}. There are two acceptable formats <min address-max address> or <prefix/len>`,
      );
    if (!bounds.every((text) => ipaddr.IPv4.parse(text).match(prefix)))
      throw new Refusal(
        `subnet configuration failed: a pool of type V4, with the following address range: ${bounds.join("-")} does not match the prefix of a subnet: ${subnet.subnet} to which it is being added`,
      );
  }
  return subnet;
}

export function requireSubnet(subnets: Subnet[], id: number): Subnet | undefined {
  if (id === 0) return undefined;
  const found = subnets.find((one) => one.id === id);
  if (!found) throw new Refusal(`IPv4 subnet with ID of '${id}' is not configured`);
  return found;
}

export function theHost({ config }: SimulatedKea, args: unknown, noDatabase: string): Reservation {
  if (!z.looseObject({ reservation: z.looseObject({}) }).safeParse(args).success)
    throw new Refusal("reservation must be specified");
  const { reservation, "operation-target": target } = z
    .strictObject({
      reservation: reservationSchema,
      "operation-target": z.enum(["memory", "database", "all", "default"]).optional(),
    })
    .parse(args);
  if (target !== "memory" && target !== "all") throw new Refusal(noDatabase);
  const subnet = requireSubnet(config.subnets, reservation["subnet-id"]);
  const address = reservation["ip-address"];
  if (subnet && address && !ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parseCIDR(subnet.subnet)))
    throw new Refusal(
      `specified reservation '${address}' is not matching the IPv4 subnet prefix '${subnet.subnet}'`,
    );
  return reservation;
}
