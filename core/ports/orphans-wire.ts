import * as z from "zod";
import { timeSchema } from "../kernel/object/wire.ts";
import { orphanSystems } from "./orphan.ts";

/**
 * Objects outside that carry our ownership tag and belong to no order; `items` are the first of
 * them.
 */
export const orphansSchema = z.object({
  count: z.int().describe("How many there are."),
  items: z
    .array(
      z.object({
        system: z.enum(orphanSystems).describe("The system that it was found in."),
        kind: z
          .string()
          .describe("What it is there, such as `Namespace`, `network` or `dns_records`."),
        id: z.string().describe("Its id, as its system knows it."),
        cluster: z.string().describe("Id of the cluster that its mark names."),
        number: z
          .string()
          .optional()
          .describe(
            "The VLAN id, prefix or address that it has, which nobody else gets meanwhile.",
          ),
        first_seen: timeSchema.describe("When it was first found."),
      }),
    )
    .describe("The first of them."),
});
