import { type Documentation, ofTenant, referred } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "Outside addresses that a tenant has.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: { metadata: { name: "front" }, spec: { pool: { name: "outside" } } },
  belongsToTenants: true,
  answer: ofTenant("front", {
    spec: { pool: referred("outside") },
    status: { state: "EXTERNAL_IP_STATE_ALLOCATED", address: "203.0.113.80", attached: false },
  }),
};
