import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "Fabric, DNS and storage around hubs.",
  groups: { private: "Provider" },
  example: { metadata: { name: "site-2" }, spec: {} },
  answer: ofProvider("site-1", {
    spec: {
      dns: {
        ...{ provider: "powerdns", url: "https://dns.example.com", zone: "example.com" },
        servers: ["192.0.2.53"],
      },
    },
    status: { low: [] },
  }),
  osacLacksIt: true,
};
