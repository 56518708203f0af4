import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { agents, manage, type PermissionsOf } from "../../kernel/request/permissions.ts";
import { hubSpecShown, hubStatusShown } from "./shown.ts";

export const kind: KindDefinition<"hub"> = {
  // Events of hubs are for the provider's administrators.
  events: commonChanges,
  shown: {
    spec: hubSpecShown,
    status: hubStatusShown,
  },
  references: ({ spec }) => (spec.site === undefined ? [] : [{ kind: "site", id: spec.site }]),
  referencedByOthers: {},
};

export const permissions: PermissionsOf = { private: { ...manage, report: agents } };
