import * as z from "zod";
import { bounds, cut } from "../../bounds.ts";
import type { News } from "../../ports/hub/news.ts";

const conditionSchema = z.object({
  type: z.string(),
  status: z.string(),
  reason: z
    .string()
    .transform((text) => cut(text, bounds.name))
    .optional(),
  message: z
    .string()
    .transform((text) => cut(text, bounds.reason))
    .optional(),
  observedGeneration: z.number().optional(),
});
export type HubCondition = z.infer<typeof conditionSchema>;

const conditionsSchema = z.array(conditionSchema).catch([]);

/** The current conditions in a hub's object, without conditions of an earlier generation. */
export class Conditions {
  readonly #byType: Map<string, HubCondition>;

  constructor({ object }: News) {
    const all = conditionsSchema.parse(object.status?.conditions);
    const generation = object.metadata.generation ?? 0;
    const current = all.filter(
      ({ observedGeneration = generation }) => observedGeneration >= generation,
    );
    this.#byType = new Map(current.map((condition) => [condition.type, condition]));
  }

  /** Whether the object's operator has reported on this generation. */
  get current(): boolean {
    return this.#byType.size > 0;
  }

  get(type: string): HubCondition | undefined {
    return this.#byType.get(type);
  }

  is(type: string, status: "True" | "False"): boolean {
    return this.get(type)?.status === status;
  }
}
