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
  // An order's claims check that the hub is as it was when it was chosen.
  conditioned: ({ generation }) => ({ generation }),
};

export const permissions: PermissionsOf = { private: { ...manage, report: agents } };
