import * as z from "zod";
import { orphanSystems } from "../model/orphan.ts";
import { timeSchema } from "./wire.ts";

/** What carries our mark outside and belongs to no order; `items` are the first of them. */
export const orphansSchema = z.object({
  count: z.int(),
  items: z.array(
    z.object({
      system: z.enum(orphanSystems),
      kind: z.string(),
      id: z.string(),
      /** The cluster that its mark names. */
      cluster: z.string(),
      /** The VLAN id, prefix or address that it has, which nobody else gets meanwhile. */
      number: z.string().optional(),
      first_seen: timeSchema,
    }),
  ),
});
