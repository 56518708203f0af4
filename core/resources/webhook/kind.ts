import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { webhookStatusShown } from "./shown.ts";

export const kind: KindDefinition<"webhook"> = {
  events: [...commonChanges, "test"],
  shown: { spec: ({ spec: { secrets: _, ...spec } }) => spec, status: webhookStatusShown },
};
