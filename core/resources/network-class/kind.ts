import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofProvider } from "../../kernel/request/documentation.ts";
import { manage, type PermissionsOf, provided } from "../../kernel/request/permissions.ts";
import { classSettingsShown, classTextShown } from "./shown.ts";

export const kind: KindDefinition<"network_class"> = {
  events: commonChanges,
  // Tenants do not see how and where the provider makes networks.
  privateMembers: [
    ...["spec.site", "spec.hub", "spec.reserved", "spec.prefix_pools", "spec.subnet_lengths"],
    ...["spec.vni_range", "spec.defaults", "status.low", "status.prefix_pools", "status.vnis"],
  ],
  shown: { "": classTextShown, spec: classSettingsShown, status: ({ status }) => status },
  shared: {},
  references: ({ spec: { site, hub } }) => [
    ...(site ? [{ kind: "site", id: site.id } as const] : []),
    ...(hub ? [{ kind: "hub", id: hub.id } as const] : []),
  ],
  referencedByOthers: { named: true },
};

export const permissions: PermissionsOf = { public: provided, private: manage };

export const documentation: Documentation = {
  meaning: "How tenants' networks are implemented.",
  groups: { public: "Networks", private: "Provider: networks" },
  example: {
    metadata: { name: "dedicated" },
    title: "Networks of one customer",
    implementation_strategy: "fabric",
    spec: { site: { name: "site-1" } },
  },
  answer: ofProvider("isolated", {
    title: "Isolated networks",
    implementation_strategy: "fabric",
    is_default: true,
    capabilities: {
      ...{
        supports_ipv4: true,
        supports_ipv6: true,
        supports_dual_stack: true,
        dpu_support: false,
      },
    },
    spec: { allows_public: false },
    status: { state: "NETWORK_CLASS_STATE_READY" },
  }),
};
