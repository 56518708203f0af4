import { endsPartition, unwellHubsPartition } from "../../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";
import { agents, manage, type PermissionsOf, staff } from "../../kernel/request/permissions.ts";
import { hubSpecShown, hubStatusShown } from "./shown.ts";
import { unwellAs } from "./unwell.ts";

export const kind: KindDefinition<"hub"> = {
  // Only the provider's administrators see events of hubs.
  events: commonChanges,
  shown: {
    spec: hubSpecShown,
    status: hubStatusShown,
  },
  references: ({ spec }) => (spec.site === undefined ? [] : [{ kind: "site", id: spec.site }]),
  referencedByOthers: {},
  stored: {
    // The claims of an order check that the hub has not changed since it was chosen.
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

export const documentation: Documentation = {
  meaning: "Management clusters, which run the control planes.",
  groups: { private: "Provider" },
  example: {
    metadata: { name: "hub-c" },
    spec: {
      region: "eu-north",
      capacity: 20,
      base_domain: "eu-north.example.com",
      kubeconfig: JSON.stringify({
        contexts: [{ name: "hub-c", context: { cluster: "hub-c", user: "slipway" } }],
        clusters: [{ name: "hub-c", cluster: { server: "https://hub-c.example.com:6443" } }],
        users: [{ name: "slipway", user: { token: "a-service-account" } }],
      }),
    },
  },
  answer: ofProvider("hub-a", {
    spec: {
      ...{ region: "eu-west", capacity: 20, base_domain: "eu-west.example.com", site: "site-1" },
      server: "https://hub-a.example.com:6443",
    },
    status: { state: "HUB_STATE_READY" },
  }),
};
