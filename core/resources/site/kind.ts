import type { Site } from "../../at-site/site.ts";
import { endsPartition } from "../../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";
import { manage, type PermissionsOf, staff } from "../../kernel/request/permissions.ts";
import { authorityEnds } from "./certificates.ts";

/** The spec in the API's answers, without the credentials and without their reference. */
export const siteSpecShown = ({ spec: { credentials: _, ...spec } }: Pick<Site, "spec">) => spec;

export const kind: KindDefinition<"site"> = {
  // Only the provider's administrators see events of sites.
  events: commonChanges,
  shown: { spec: siteSpecShown, status: ({ status }) => status },
  referencedByOthers: { named: true },
  status: ({ spec, status }) => ({ ...status, ...authorityEnds(spec) }),
  stored: {
    indexes: ({ id, status: { authority_ends: ends } }) =>
      ends === undefined ? undefined : { g3pk: endsPartition("site"), g3sk: `${ends}#${id}` },
  },
};

export const permissions: PermissionsOf = { private: { ...manage, numbers: staff } };

export const documentation: Documentation = {
  meaning: "Fabric, DNS and storage around hubs.",
  groups: { private: "Provider" },
  example: { metadata: { name: "site-2" }, spec: {} },
  answer: ofProvider("site-1", {
    spec: {
      dns: {
        ...{ provider: "powerdns", url: "https://dns.example.com", zone: "example.com" },
        servers: ["192.0.2.53"],
      },
    },
    status: { low: [] },
  }),
  osacLacksIt: true,
};
