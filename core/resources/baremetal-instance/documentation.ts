import { type Documentation, ofTenant, referred } from "../../kernel/request/documentation.ts";

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPtStuO8Ud5lKNpTXbrXuTUgoQ3rKM/wEJX1o7WQTJHk me";
const image = { source_type: "registry", source_ref: "quay.io/images/rhel:9.6" };

export const documentation: Documentation = {
  meaning: "Servers that are ordered whole, in networks of their tenant.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "db-1" },
    spec: {
      catalog_item: { name: "rhel-server" },
      ssh_public_key: key,
      network_attachments: [{ subnet: { name: "web" } }],
    },
  },
  belongsToTenants: true,
  answer: ofTenant("db-1", {
    spec: {
      catalog_item: referred("rhel-server"),
      template_parameters: {},
      image,
      ssh_public_key: key,
      run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS",
      network_attachments: [{ subnet: referred("web"), security_groups: [], primary: true }],
    },
    status: {
      state: "BARE_METAL_INSTANCE_STATE_RUNNING",
      conditions: [],
      state_transition_time: "2026-11-22T15:12:44.153Z",
      network_attachment_statuses: [
        { interface: "eth0", subnet_ref: "web", ip_address: "10.20.1.4", primary: true },
      ],
      subnets: ["web"],
      hardware: { nics: [{ mac: "52:54:00:12:34:56" }] },
      instance_type: "bm-standard",
    },
  }),
};
