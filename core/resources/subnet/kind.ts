import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, ordered, type PermissionsOf } from "../../kernel/request/permissions.ts";
import { subnetStatus } from "./status.ts";

export const kind: KindDefinition<"subnet"> = {
  events: commonChanges,
  // How the provider separates networks is not the tenant's business.
  privateMembers: ["status.vlan"],
  shown: {
    spec: ({ spec }) => spec,
    status: ({ status }) => status,
    "status.operation": ({ operation }) => operation,
    "status.vlan": ({ site }) => site?.vlan,
  },
  inProjects: true,
  isForGood: true,
  isOperated: true,
  isOrdered: true,
  references: ({ spec }) => [{ kind: "virtual_network", id: spec.virtual_network.id }],
  referencedByOthers: { named: true },
  status: subnetStatus,
};

export const permissions: PermissionsOf = { public: ordered, private: manage };
