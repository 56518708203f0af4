import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { govern, governors, manage, type PermissionsOf } from "../../kernel/request/permissions.ts";
import { mostWebhooks } from "./model.ts";
import { webhookSpecShown, webhookStatusShown } from "./shown.ts";

export const kind: KindDefinition<"webhook"> = {
  events: [...commonChanges, "test"],
  shown: { spec: webhookSpecShown, status: webhookStatusShown },
  most: mostWebhooks,
};

export const permissions: PermissionsOf = {
  public: {
    ...govern,
    deliveries: governors,
    replay: governors,
    test: governors,
    rotate: governors,
  },
  private: manage,
};
