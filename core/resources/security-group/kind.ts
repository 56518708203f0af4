import {
  madeOutside,
  madeOutsidePermissions,
  madeOutsideShown,
} from "../../at-site/made-outside.ts";
import type { KindDefinition } from "../../kernel/object/kind.ts";
import { directions } from "./rules.ts";
import { securityGroupStatus } from "./status.ts";

export const kind: KindDefinition<"security_group"> = {
  ...madeOutside,
  shown: madeOutsideShown,
  references: ({ id, spec }) => {
    const named = directions
      .flatMap((direction) => spec[direction])
      .flatMap(({ security_group: group }) => (group && group.id !== id ? [group.id] : []));
    return [
      { kind: "virtual_network", id: spec.virtual_network.id },
      ...[...new Set(named)].map((group) => ({ kind: "security_group", id: group }) as const),
    ];
  },
  status: securityGroupStatus,
};

export const permissions = madeOutsidePermissions;
