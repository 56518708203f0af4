import { endsPartition, unwellHubsPartition } from "../../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { agents, manage, type PermissionsOf, staff } from "../../kernel/request/permissions.ts";
import { hubSpecShown, hubStatusShown } from "./shown.ts";
import { unwellAs } from "./unwell.ts";

export const kind: KindDefinition<"hub"> = {
  // Events of hubs are for the provider's administrators.
  events: commonChanges,
  shown: {
    spec: hubSpecShown,
    status: hubStatusShown,
  },
  references: ({ spec }) => (spec.site === undefined ? [] : [{ kind: "site", id: spec.site }]),
  referencedByOthers: {},
  stored: {
    // An order's claims check that the hub is as it was when it was chosen.
    conditioned: ({ generation }) => ({ generation }),
    indexes: (hub) => {
      const unwell = unwellAs(hub);
      const ends = hub.spec.credentials_end;
      return {
        ...(unwell && { g2pk: unwellHubsPartition, g2sk: `${unwell}#${hub.id}` }),
        ...(ends !== undefined && { g3pk: endsPartition("hub"), g3sk: `${ends}#${hub.id}` }),
      };
    },
  },
};

export const permissions: PermissionsOf = {
  private: { ...manage, plan: staff, report: agents },
};
