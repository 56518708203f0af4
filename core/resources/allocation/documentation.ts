import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "Hosts that are reserved for a tenant.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "training", tenant: "tenant-a" },
    spec: { host_type: "fc430", reserved: 2 },
  },
  belongsToTenants: true,
  change: { spec: { reserved: 3 } },
  answer: ofTenant("training", {
    spec: { host_type: "fc430", reserved: 8 },
    status: { kept: 2, used: 5, lacking: 1 },
  }),
  osacLacksIt: true,
};
