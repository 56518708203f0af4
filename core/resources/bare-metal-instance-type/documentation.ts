import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";

const hardware = {
  cpu: { cores: 32, threads_per_core: 2 },
  memory: { total_gb: 128 },
};

export const documentation: Documentation = {
  meaning: "Types of servers that are ordered whole.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "bm-large" },
    spec: { description: "2 × 16 cores, 128 GB", hardware },
  },
  answer: ofProvider("bm-standard", {
    spec: { description: "2 × 16 cores, 128 GB", hardware },
    status: {},
  }),
};
