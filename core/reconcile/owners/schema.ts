import * as z from "zod";
import { timeSchema } from "../../kernel/object/wire.ts";

/** The wire form of the owner of a thing that has one owner at a time. */

export const ownedKinds = ["vlan", "ip", "prefix", "dns", "mac", "host", "infra_id"] as const;
export type OwnedKind = (typeof ownedKinds)[number];

const holdingStates = ["HELD", "FREE", "RESTING", "KEPT"] as const;

export const holdingSchema = z.object({
  kind: z.enum(ownedKinds).describe("The kind of value in the request."),
  value: z.string().describe("The value, as text."),
  state: z
    .enum(holdingStates)
    .describe(
      "Whether an object holds it, it is free, it cannot be used until its rest ends, or it is blocked for an outside object without a record.",
    ),
  message: z.string().describe("The state in words."),
  site: z.string().optional().describe("Id of the site."),
  pool: z.string().optional().describe("The site's pool, or the id of the pool."),
  network: z.string().optional().describe("Id of the tenant's network."),
  subnet: z.string().optional().describe("Id of the tenant's subnet."),
  host: z.string().optional().describe("Id of the host."),
  resting_until: timeSchema.optional().describe("When it can be used again."),
  since: timeSchema.optional().describe("Since when its owner holds it, if known."),
  owner: z
    .object({
      kind: z.string().describe("The kind of the owner."),
      id: z.string().describe("The id of the owner."),
      name: z
        .string()
        .optional()
        .describe("The name of the owner; absent if the owner no longer exists."),
      tenant: z.string().optional().describe("The tenant of the owner."),
      project: z.string().optional().describe("The project of the owner."),
      state: z.string().optional().describe("Its state."),
      operation: z.string().optional().describe("Id of the operation that runs on the owner."),
    })
    .optional()
    .describe("Who has it."),
});
export type Holding = z.output<typeof holdingSchema>;
