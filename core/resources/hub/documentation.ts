import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "Management clusters, which run the control planes.",
  groups: { private: "Provider" },
  example: {
    metadata: { name: "hub-c" },
    spec: {
      region: "eu-north",
      capacity: 20,
      base_domain: "eu-north.example.com",
      kubeconfig: JSON.stringify({
        contexts: [{ name: "hub-c", context: { cluster: "hub-c", user: "slipway" } }],
        clusters: [{ name: "hub-c", cluster: { server: "https://hub-c.example.com:6443" } }],
        users: [{ name: "slipway", user: { token: "a-service-account" } }],
      }),
    },
  },
  answer: ofProvider("hub-a", {
    spec: {
      ...{ region: "eu-west", capacity: 20, base_domain: "eu-west.example.com", site: "site-1" },
      server: "https://hub-a.example.com:6443",
    },
    status: { state: "HUB_STATE_READY" },
  }),
};
