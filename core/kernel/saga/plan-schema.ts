import * as z from "zod";
import type { OperationPlan } from "./plan.ts";

const rowsSchema = z.object({ name: z.string(), steps: z.array(z.string()) });

/** A plan, in the form in which a definition passes it to its workers. */
export const planSchema = z.object({
  nodes: z.array(
    z.union([
      z.string(),
      rowsSchema,
      z.object({ name: z.string(), branches: z.array(rowsSchema) }),
    ]),
  ),
  undos: z.array(z.string()),
}) satisfies z.ZodType<OperationPlan>;
