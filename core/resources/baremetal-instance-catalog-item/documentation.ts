import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";

const offer = {
  title: "A server with RHEL",
  published: true,
  field_definitions: [{ path: "ssh_public_key", editable: true }],
};

export const documentation: Documentation = {
  meaning: "Offers of servers: a template with what may be chosen.",
  groups: { public: "Order", private: "Provider" },
  example: {
    metadata: { name: "rhel-by-key" },
    template: { name: "rhel-server" },
    ...offer,
  },
  answer: ofTenant("rhel-by-key", {
    template: { id: "rhel-server", name: "rhel-server" },
    ...offer,
  }),
};
