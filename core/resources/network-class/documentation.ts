import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "Who makes tenants' networks real.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: {
    metadata: { name: "dedicated" },
    title: "Networks of one customer",
    implementation_strategy: "fabric",
    spec: { site: { name: "site-1" } },
  },
  answer: ofProvider("isolated", {
    title: "Isolated networks",
    implementation_strategy: "fabric",
    is_default: true,
    capabilities: {
      ...{
        supports_ipv4: true,
        supports_ipv6: true,
        supports_dual_stack: true,
        dpu_support: false,
      },
    },
    spec: { allows_public: false },
    status: { state: "NETWORK_CLASS_STATE_READY" },
  }),
};
