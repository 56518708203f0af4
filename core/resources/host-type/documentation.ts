import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "Kinds of servers, and how many are free.",
  groups: { public: "Order", private: "Provider" },
  example: { metadata: { name: "gpu" }, title: "With two accelerators" },
  answer: ofProvider("fc430", {
    title: "Standard server",
    description: "2 × 16 cores, 128 GiB",
    status: { availability: [{ region: "eu-west", total: 6, free: 4 }] },
  }),
};
