import { type Documentation, ofTenant, referred } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "A tenant's own network, apart from all others.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: { metadata: { name: "office" }, spec: { ipv4_cidr: "10.20.0.0/16" } },
  belongsToTenants: true,
  answer: ofTenant("shop", {
    spec: { ipv4_cidr: "10.20.0.0/16", network_class: referred("isolated") },
    status: { state: "VIRTUAL_NETWORK_STATE_READY" },
  }),
};
