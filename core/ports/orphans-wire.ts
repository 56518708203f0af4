import * as z from "zod";
import { timeSchema } from "../kernel/object/wire.ts";
import { orphanSystems } from "./orphan.ts";

/** Outside objects with our ownership tag whose owners no longer exist; `items` are the first of them. */
export const orphansSchema = z.object({
  count: z.int().describe("How many orphans there are."),
  items: z
    .array(
      z.object({
        system: z.enum(orphanSystems).describe("The system in which it was found."),
        kind: z
          .string()
          .describe("The kind of object there, such as `Namespace`, `network` or `dns_records`."),
        id: z.string().describe("The object's id in its system."),
        cluster: z.string().describe("Id of the cluster that its ownership tag names."),
        number: z
          .string()
          .optional()
          .describe(
            "The VLAN id, prefix or address that the object uses; no other cluster gets it meanwhile.",
          ),
        first_seen: timeSchema.describe("When it was first found."),
      }),
    )
    .describe("The first orphans."),
});
