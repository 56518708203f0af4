import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, ordered, type PermissionsOf } from "../../kernel/request/permissions.ts";
import { virtualNetworkStatus } from "./status.ts";

export const kind: KindDefinition<"virtual_network"> = {
  events: commonChanges,
  shown: {
    spec: ({ spec }) => spec,
    status: ({ status }) => status,
    "status.operation": ({ operation }) => operation,
  },
  inProjects: true,
  isForGood: true,
  isOperated: true,
  isOrdered: true,
  references: ({ spec }) => [{ kind: "network_class", id: spec.network_class.id }],
  referencedByOthers: { named: true },
  status: virtualNetworkStatus,
};

export const permissions: PermissionsOf = { public: ordered, private: manage };
