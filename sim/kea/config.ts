import * as z from "zod";
import { hours } from "../../core/clock.ts";

/** The configuration and leases of Kea. */

const context = z.record(z.string(), z.unknown()).optional();
const option = z.strictObject({ name: z.string(), data: z.string() });

/** Kea's message for unknown members of its configuration. */
const unknownMember = (words: (name: string) => string) => ({
  error: ({ code, keys }: { code?: string; keys?: string[] }) =>
    code === "unrecognized_keys" ? words(keys?.[0] ?? "") : undefined,
});
const address = z.ipv4({
  error: ({ input }) => `Failed to convert string to address '${input}': Invalid argument`,
});
const outOfRange = {
  error: ({ input }: { input?: unknown }) =>
    `subnet configuration failed: The 'id' value (${input}) is not within expected range: (1 - 4294967294)`,
};

export const subnetSchema = z.strictObject(
  {
    id: z.int().min(1, outOfRange).max(4_294_967_294, outOfRange),
    subnet: z.cidrv4({
      error: ({ input }) =>
        input === undefined
          ? "subnet configuration failed: mandatory 'subnet' parameter is missing for a subnet being configured"
          : `subnet configuration failed: Invalid subnet syntax (prefix/len expected):${input}`,
    }),
    pools: z.array(z.strictObject({ pool: z.string() })).default([]),
    "option-data": z.array(option).default([]),
    "user-context": context,
  },
  unknownMember((name) => `spurious '${name}' parameter`),
);
export type Subnet = z.infer<typeof subnetSchema>;

export const reservationSchema = z.strictObject(
  {
    "subnet-id": z.int().min(0),
    "hw-address": z
      .string()
      .regex(/^[0-9a-f]{1,2}(:[0-9a-f]{1,2})*$/i, {
        error: ({ input }) => `invalid host identifier value '${input}'`,
      })
      .transform((text) => text.toLowerCase()),
    "ip-address": address.optional(),
    "next-server": address.optional(),
    "boot-file-name": z.string().optional(),
    "user-context": context,
  },
  unknownMember((name) => `unsupported configuration parameter '${name}'`),
);
export type Reservation = z.infer<typeof reservationSchema>;

/** The arguments that name a lease to delete. */
export const leasedSchema = z.object(
  { "ip-address": address },
  { error: "Parameters missing or are not a map." },
);

export interface Config {
  subnets: Subnet[];
  /** The reservations of the configuration; there is no hosts database. */
  reservations: Reservation[];
}

export interface Lease {
  "ip-address": string;
  "hw-address": string;
  "subnet-id": number;
  /** When it expires, in milliseconds. */
  expires: number;
}

/** The lifetime of a lease. */
export const lifetime = hours(2);

export const usual = {
  config: { subnets: [], reservations: [] } satisfies Config as Config,
  hooks: ["libdhcp_subnet_cmds.so", "libdhcp_host_cmds.so", "libdhcp_lease_cmds.so"],
} as const;
