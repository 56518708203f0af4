import { failingWebhooksPartition } from "../../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";
import { govern, governors, manage, type PermissionsOf } from "../../kernel/request/permissions.ts";
import { mostWebhooks } from "./model.ts";
import { webhookSpecShown, webhookStatusShown } from "./shown.ts";
import { webhookStatus } from "./status.ts";

export const kind: KindDefinition<"webhook"> = {
  events: [...commonChanges, "test"],
  shown: { spec: webhookSpecShown, status: webhookStatusShown },
  most: mostWebhooks,
  status: webhookStatus,
  // The start and the end of a failure are published; further failed tries are not.
  isQuiet: ({ status: before }, { status: after }, paths) =>
    before.failing !== undefined &&
    after.failing !== undefined &&
    paths.every((path) => /^status\.(failing|conditions)/.test(path)),
  stored: {
    indexes: ({ id, status: { failing } }) =>
      failing && { g2pk: failingWebhooksPartition, g2sk: `${failing.since}#${id}` },
  },
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

export const documentation: Documentation = {
  meaning: "Events sent to a server of a tenant.",
  groups: { public: "Order", private: "Provider: people" },
  example: {
    metadata: { name: "portal" },
    spec: { url: "https://portal.example.com/slipway", event_types: ["slipway.cluster.*"] },
  },
  belongsToTenants: true,
  answer: ofTenant("portal", {
    spec: {
      url: "https://portal.example.com/slipway",
      ...{ event_types: ["slipway.cluster.*"], enabled: true, secret: "***" },
    },
    status: { state: "WEBHOOK_STATE_ACTIVE" },
  }),
  osacLacksIt: true,
};
