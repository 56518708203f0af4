import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "Parts of a tenant, one below the other.",
  groups: { public: "People", private: "Provider: people" },
  example: { metadata: { name: "shop" }, spec: { title: "The shop" } },
  belongsToTenants: true,
  answer: ofTenant("shop", {
    spec: { title: "The shop" },
    status: { state: "PROJECT_STATE_ACTIVE" },
  }),
};
