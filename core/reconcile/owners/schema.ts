import * as z from "zod";
import { timeSchema } from "../../kernel/object/wire.ts";

/** The wire form of the owner of a thing that has one owner at a time. */

export const ownedKinds = ["vlan", "ip", "prefix", "dns", "mac", "host", "infra_id"] as const;
export type OwnedKind = (typeof ownedKinds)[number];

const holdingStates = ["HELD", "FREE", "RESTING", "KEPT"] as const;

export const holdingSchema = z.object({
  kind: z.enum(ownedKinds).describe("What was asked about."),
  value: z.string().describe("Which one of it, as it is written."),
  state: z
    .enum(holdingStates)
    .describe(
      "Whether an object has it, nobody has it, nobody can have it before its rest ends, or it is kept for something outside that no record knows.",
    ),
  message: z.string().describe("The same in words."),
  site: z.string().optional().describe("Id of the site that it is at."),
  pool: z
    .string()
    .optional()
    .describe("The pool of the site, or the id of the pool, that it is of."),
  network: z.string().optional().describe("Id of the tenant's network that it is in."),
  subnet: z.string().optional().describe("Id of the tenant's subnet that it is in."),
  host: z.string().optional().describe("Id of the host that it is, or that has it."),
  resting_until: timeSchema.optional().describe("When its rest ends."),
  since: timeSchema.optional().describe("Since when its owner has it, where that is known."),
  owner: z
    .object({
      kind: z.string().describe("The kind of the object that has it."),
      id: z.string().describe("The id of that object."),
      name: z
        .string()
        .optional()
        .describe("Its name; absent where the object is not there any more."),
      tenant: z.string().optional().describe("The tenant that it is of."),
      project: z.string().optional().describe("The project that it is of."),
      state: z.string().optional().describe("Its state."),
      operation: z.string().optional().describe("Id of the operation that runs on it."),
    })
    .optional()
    .describe("Who has it."),
});
export type Holding = z.output<typeof holdingSchema>;
