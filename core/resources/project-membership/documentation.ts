import { type Documentation, exampleId, ofTenant } from "../../kernel/request/documentation.ts";

export const documentation: Documentation = {
  meaning: "Who may do what in a project.",
  groups: { public: "People", private: "Provider: people" },
  example: {
    metadata: { name: "web-team", project: "web" },
    spec: { role: "PROJECT_MEMBERSHIP_ROLE_MANAGER", users: ["ann"] },
  },
  belongsToTenants: true,
  answer: ofTenant("web-team", {
    spec: { role: "PROJECT_MEMBERSHIP_ROLE_MANAGER", users: [{ id: exampleId, name: "ann" }] },
    status: { state: "PROJECT_MEMBERSHIP_STATE_READY" },
  }),
};
