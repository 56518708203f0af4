import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, ordered, type PermissionsOf } from "../../kernel/request/permissions.ts";
import { directions } from "./rules.ts";
import { securityGroupStatus } from "./status.ts";

export const kind: KindDefinition<"security_group"> = {
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
  references: ({ id, spec }) => {
    const named = directions
      .flatMap((direction) => spec[direction])
      .flatMap(({ security_group: group }) => (group && group.id !== id ? [group.id] : []));
    return [
      { kind: "virtual_network", id: spec.virtual_network.id },
      ...[...new Set(named)].map((group) => ({ kind: "security_group", id: group }) as const),
    ];
  },
  referencedByOthers: { named: true },
  status: securityGroupStatus,
};

export const permissions: PermissionsOf = { public: ordered, private: manage };
