import { type Documentation, ofTenant, referred } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "OpenShift clusters on order.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "demo" },
    spec: { template: { id: "ocp_4_17_small" }, node_sets: { workers: { size: 2 } } },
  },
  belongsToTenants: true,
  change: { spec: { node_sets: { workers: { size: 3 } } } },
  answer: ofTenant("demo", {
    spec: {
      template: { id: "ocp_4_17_small", name: "ocp-4-17-small" },
      template_parameters: { monitoring: false },
      node_sets: { workers: { host_type: referred("fc430"), size: 2 } },
      version: referred("4-17-3"),
      network: {},
    },
    status: {
      state: "CLUSTER_STATE_READY",
      conditions: [
        {
          type: "CLUSTER_CONDITION_TYPE_READY",
          status: "CONDITION_STATUS_TRUE",
          last_transition_time: "2026-11-22T15:30:41.340Z",
          reason: "Ready",
        },
      ],
      state_transition_time: "2026-11-22T15:30:41.340Z",
      api_url: "https://api.demo.tenant-a.eu-west.example.com:6443",
      console_url: "https://console-openshift-console.apps.demo.tenant-a.eu-west.example.com",
      api_endpoint: "api.demo.tenant-a.eu-west.example.com",
      ingress_endpoint: "203.0.113.101",
      network: { prefix: "10.64.0.0/24", gateway: "10.64.0.1", dns_servers: ["192.0.2.53"] },
      addresses: {
        api: { external: "203.0.113.100", internal: "10.64.0.2" },
        ingress: { external: "203.0.113.101", internal: "10.64.0.3" },
      },
      storage: { state: "done" },
      node_sets: {
        workers: { host_type: referred("fc430"), size: 2, ready: 2, version: "4.17.3" },
      },
      version: "4.17.3",
      release: "4.17.3",
      template_revision: 1,
    },
  }),
};
