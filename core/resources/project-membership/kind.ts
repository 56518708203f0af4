import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";

export const kind: KindDefinition<"project_membership"> = {
  events: commonChanges,
  inProjects: true,
};
