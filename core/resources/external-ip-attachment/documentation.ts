import { type Documentation, ofTenant, referred } from "../../kernel/request/documentation.ts";

const target_endpoint = "EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS";

export const documentation: Documentation = {
  meaning: "External IPs at endpoints of clusters.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: {
    metadata: { name: "front" },
    spec: { external_ip: { name: "front" }, cluster: { name: "prod" }, target_endpoint },
  },
  belongsToTenants: true,
  answer: ofTenant("front", {
    spec: { external_ip: referred("front"), cluster: referred("prod"), target_endpoint },
    status: {
      state: "EXTERNAL_IP_ATTACHMENT_STATE_READY",
      external_ip_address: "203.0.113.80",
    },
  }),
};
