import { type Documentation, ofTenant, referred } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "Parts of a network, in which clusters and servers stand.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: {
    metadata: { name: "web" },
    spec: { virtual_network: { name: "shop" }, ipv4_cidr: "10.20.1.0/24" },
  },
  belongsToTenants: true,
  answer: ofTenant("web", {
    spec: { virtual_network: referred("shop"), ipv4_cidr: "10.20.1.0/24" },
    status: {
      state: "SUBNET_STATE_READY",
      gateways: ["10.20.1.1"],
      addresses: { total: 251, used: 6, resting: 0, free: 245 },
    },
  }),
};
