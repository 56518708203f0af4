import * as z from "zod";
import type { KubeObject } from "./kube-object.ts";

const schema = z.array(
  z.object({
    type: z.string(),
    status: z.string(),
    reason: z.string().optional(),
    message: z.string().optional(),
  }),
);
export type GuestCondition = z.infer<typeof schema>[number];

/** The conditions of an object's status; none when it has not reported any. */
export function conditionsOf(object: KubeObject | undefined): GuestCondition[] {
  return schema.safeParse(object?.status?.conditions).data ?? [];
}

export function conditionOf(
  object: KubeObject | undefined,
  type: string,
): GuestCondition | undefined {
  return conditionsOf(object).find((condition) => condition.type === type);
}

/** The condition, if it is True. */
export function holding(object: KubeObject | undefined, type: string): GuestCondition | undefined {
  const condition = conditionOf(object, type);
  return condition?.status === "True" ? condition : undefined;
}
