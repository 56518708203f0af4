import * as z from "zod";
import { poolUses } from "../at-site/site.ts";
import { trendSchema } from "../placement/capacity/trend.ts";

/** The capacity of limited resources and their queues, as the API answers them. */

/** Resources that orders queue for, and without which they are refused. */
const queuedFor = ["control_planes", "hosts", ...poolUses] as const;
const resources = [...queuedFor, "external_ips"] as const;
const whose = {
  region: z.string().optional().describe("Region of the hubs."),
  site: z.string().optional().describe("Id of the site."),
  host_type: z.string().optional().describe("For hosts: name of their type."),
};
const pool = z.string().optional().describe("For external IPs: name of their pool.");

export const capacityItemSchema = z.object({
  resource: z.enum(resources).describe("What it is."),
  ...whose,
  pool,
  total: z.int().describe("The total."),
  used: z.int().describe("Number in use."),
  free: z.int().describe("Number that orders can claim now."),
  kept: z
    .int()
    .optional()
    .describe("For hosts: number of free hosts that allocations reserve for tenants."),
  unavailable: z
    .int()
    .describe(
      "Neither in use nor free: released numbers that cannot be used yet; hosts that are reclaimed, out of service or not discovered.",
    ),
  resting: z
    .int()
    .optional()
    .describe("For numbers: how many were released recently and will become free by themselves."),
  waiting: z
    .int()
    .describe(
      "Number of orders in its queue; for hosts and control planes, of all regions. 101 stands for more than a hundred.",
    ),
  ...trendSchema,
  used_percent: z.int().min(0).max(100).describe("Percentage that orders cannot claim."),
  open: z
    .boolean()
    .describe(
      "Whether it is available to new orders; false for hubs that are cordoned, unreachable or lack a setting.",
    ),
});

/** The resources that operations queue for. */
export const scarceSchema = {
  waits_for: z
    .enum(["hub", ...queuedFor])
    .describe("The resource of the queue; `hub` stands for any hub that takes orders."),
  site: whose.site,
  host_type: whose.host_type,
};

export const queueSchema = z.object({
  ...scarceSchema,
  orders: z.int().describe("Number of orders that wait; 101 stands for more than a hundred."),
});

export const capacitySchema = z.object({
  items: z
    .array(capacityItemSchema)
    .describe("All resources that orders use, the most used first."),
  queues: z
    .array(queueSchema)
    .describe(
      "Queues with operations in them; an operation that waits for several resources is in several queues.",
    ),
});
export type Capacity = z.output<typeof capacitySchema>;
