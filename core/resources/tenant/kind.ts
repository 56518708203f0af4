import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";

export const kind: KindDefinition<"tenant"> = {
  events: commonChanges,
};
