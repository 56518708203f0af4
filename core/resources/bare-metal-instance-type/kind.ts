import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, type PermissionsOf, read } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"bare_metal_instance_type"> = {
  events: commonChanges,
  // Which of the provider's hosts serve a type is not the tenant's business.
  privateMembers: ["spec.host_label_selector", "status.host_types"],
  shared: {},
  referencedByOthers: {},
};

export const permissions: PermissionsOf = { public: read, private: manage };
