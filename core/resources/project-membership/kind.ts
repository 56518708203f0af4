import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { manage, managers, type PermissionsOf, read } from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"project_membership"> = {
  events: commonChanges,
  inProjects: true,
};

export const permissions: PermissionsOf = {
  public: { ...read, create: managers, update: managers, delete: managers },
  private: manage,
};
