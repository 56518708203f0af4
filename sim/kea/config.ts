import * as z from "zod";

/** What Kea keeps. */

const context = z.record(z.string(), z.unknown()).optional();
const option = z.strictObject({ name: z.string(), data: z.string() });

export const subnetSchema = z.strictObject({
  id: z.int().min(1).max(4_294_967_294),
  subnet: z.cidrv4(),
  pools: z.array(z.strictObject({ pool: z.string() })).default([]),
  "option-data": z.array(option).default([]),
  "user-context": context,
});
export type Subnet = z.infer<typeof subnetSchema>;

export const reservationSchema = z.strictObject({
  "subnet-id": z.int().min(0),
  "hw-address": z.string().transform((text) => text.toLowerCase()),
  "ip-address": z.ipv4().optional(),
  "next-server": z.ipv4().optional(),
  "boot-file-name": z.string().optional(),
  "user-context": context,
});
export type Reservation = z.infer<typeof reservationSchema>;

export interface Config {
  subnets: Subnet[];
  /** Those in the configuration; a database of hosts there is not. */
  reservations: Reservation[];
}

export interface Lease {
  "ip-address": string;
  "hw-address": string;
  "subnet-id": number;
  /** When it ends, in milliseconds. */
  expires: number;
}

export const usual = {
  config: { subnets: [], reservations: [] } satisfies Config as Config,
  hooks: ["libdhcp_subnet_cmds.so", "libdhcp_host_cmds.so", "libdhcp_lease_cmds.so"],
} as const;
