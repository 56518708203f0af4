import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, type PermissionsOf, read } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"quota"> = {
  events: commonChanges,
  inProjects: true,
};

export const permissions: PermissionsOf = { public: read, private: manage };
