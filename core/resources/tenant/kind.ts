import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";
import { manage, type PermissionsOf, read } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"tenant"> = {
  events: commonChanges,
};

export const permissions: PermissionsOf = { public: read, private: manage };

export const documentation: Documentation = {
  meaning: "The provider's customers.",
  groups: { public: "People", private: "Provider: people" },
  example: { metadata: { name: "tenant-c" }, spec: { domains: ["c.example.com"] } },
  answer: ofTenant("tenant-a", {
    id: "tenant-a",
    spec: { domains: ["a.example.com"] },
    status: { state: "TENANT_STATE_SYNCED" },
  }),
};
