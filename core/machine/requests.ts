import * as z from "zod";
import { bounds } from "../bounds.ts";
import { isMac, isOfOneNic, macIn } from "../mac.ts";
import type { HealthReportInput } from "./health-report.ts";

/** Machines' requests and reports, on the wire. */

/** The version of the site controller's contract. */
export const contractVersion = "1";

export const machineRequests = [
  "boot",
  "seed",
  "phone_home",
  "discovery",
  "network",
  "applied",
  "health",
] as const;
export type MachineRequest = (typeof machineRequests)[number];

/** The files of cloud-init's NoCloud data source. */
export const seedParts = ["meta-data", "user-data", "vendor-data", "network-config"] as const;
export type SeedPart = (typeof seedParts)[number];

/** Text with a limit in bytes of UTF-8. */
const text = (limit: number) =>
  z
    .string()
    .max(limit)
    .refine((said) => Buffer.byteLength(said) <= limit, `must not have more than ${limit} bytes`);
const line = text(bounds.name);
/** An IPv6 prefix with its length. */
const prefix = text(43);

/**
 * The limit of a machine's discovery report, in bytes of JSON: it has to fit into the object's item with all
 * other members.
 */
const discoveryBytes = 24 * 1024;
const mac = z
  .string()
  .transform((text) => macIn(text) ?? text)
  .pipe(z.string().refine(isMac, "must be a MAC address"));

/** Drops MAC addresses that belong to no NIC: drivers report zeros for unknown ones. */
const ofNics = <Each extends { mac: string }>(all: Each[]): Each[] =>
  all.filter((each) => isOfOneNic(each.mac));

/** The form that cloud-init's phone_home sends, with `N/A` for unknown values. */
export const phoneHomeSchema = z.object({
  instance_id: line,
  hostname: line.optional(),
  pub_key_rsa: text(4096).optional(),
  pub_key_ecdsa: text(4096).optional(),
  pub_key_ed25519: text(4096).optional(),
});
export type PhoneHome = z.output<typeof phoneHomeSchema>;

export const discoverySchema = z
  .object({
    serial: line.optional().describe("Serial number of the machine."),
    bmc: z.object({ mac: mac.optional(), version: line.optional() }).optional(),
    nics: z
      .array(z.object({ name: line, mac }))
      .max(64)
      .default([])
      .transform(ofNics),
    ports: z
      .array(
        z.object({
          name: line,
          host_macs: z
            .array(mac)
            .max(64)
            .default([])
            .transform((macs) => macs.filter(isOfOneNic)),
        }),
      )
      .max(64)
      .default([])
      .describe("Ports of a DPU, each with the MAC addresses of its host that were seen on it."),
    versions: z.record(line, line).default({}).describe("Versions of what runs there, by name."),
  })
  .superRefine((found, context) => {
    const bytes = Buffer.byteLength(JSON.stringify(found));
    if (bytes > discoveryBytes)
      context.addIssue({
        code: "custom",
        message: `has ${bytes} bytes; ${discoveryBytes} is the limit`,
      });
  });
export type Discovery = z.output<typeof discoverySchema>;

export const appliedSchema = z.object({
  version: z.int().min(0),
  state: z.enum(["applied", "failed"]),
  message: text(1000).optional(),
  leaf: z
    .object({ asn: z.int().min(1), loopback: line, state: z.enum(["up", "down"]) })
    .optional()
    .describe("The sessions of a DPU as a leaf."),
  advertised: z.array(prefix).max(1000).optional().describe("Prefixes that are advertised."),
  leases: z
    .array(z.object({ mac, address: z.ipv4() }))
    .max(64)
    .transform(ofNics)
    .optional()
    .describe("Addresses that DHCP gave the NICs behind a DPU through its relay."),
});
export type Applied = z.output<typeof appliedSchema>;

/** A desired network configuration for the machine, with its version. */
export interface WantedNetwork {
  version: number;
  [member: string]: unknown;
}

/** A report, or a request of the machine, which shows the progress of its boot. */
export type MachineReport =
  | { of: "boot"; address?: string }
  | { of: "seed"; part: SeedPart }
  | ({ of: "phone_home" } & PhoneHome)
  | ({ of: "discovery" } & Discovery)
  | ({ of: "applied" } & Applied)
  /** The machine has requested its network configuration. */
  | { of: "network" }
  | ({ of: "health" } & HealthReportInput);
