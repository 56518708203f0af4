import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";

export const kind: KindDefinition<"quota"> = {
  events: commonChanges,
  inProjects: true,
};
