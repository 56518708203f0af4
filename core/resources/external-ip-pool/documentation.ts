import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "Outside addresses, from which tenants get external IPs.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: {
    metadata: { name: "more" },
    spec: { ip_family: "IP_FAMILY_IPV4", cidrs: ["203.0.113.64/28"], site: { name: "site-1" } },
  },
  answer: ofProvider("outside", {
    spec: { ip_family: "IP_FAMILY_IPV4" },
    status: { state: "EXTERNAL_IP_POOL_STATE_READY", available: 12 },
  }),
};
