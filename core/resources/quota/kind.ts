import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";
import { manage, type PermissionsOf, read } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"quota"> = {
  events: commonChanges,
  inProjects: true,
};

export const permissions: PermissionsOf = { public: read, private: manage };

export const documentation: Documentation = {
  meaning: "The limits of a tenant or a project, and its usage.",
  groups: { public: "People", private: "Provider: people" },
  example: {
    metadata: { name: "of-the-tenant", tenant: "tenant-a" },
    spec: { limits: { control_planes: 10, hosts: { fc430: 20 } } },
  },
  answer: ofTenant("of-the-tenant", {
    spec: { limits: { control_planes: 10, hosts: { fc430: 20 } } },
    status: {
      usage: {
        control_planes: 1,
        hosts: { fc430: 2 },
        floating_ips: 2,
        storage_clusters: 1,
        virtual_networks: 0,
        subnets: 0,
        security_groups: 0,
        external_ips: 0,
        nat_gateways: 0,
      },
    },
  }),
};
