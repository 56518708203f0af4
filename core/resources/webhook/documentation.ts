import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";

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
