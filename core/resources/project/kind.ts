import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { parentPath } from "../../kernel/object/project.ts";
import {
  governed,
  manage,
  managers,
  type PermissionsOf,
} from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"project"> = {
  events: commonChanges,
  inProjects: true,
  // A project counts as inside itself, and others refer to it by its path.
  project: ({ name }) => name,
  projectOfName: parentPath,
  referencedByOthers: { id: ({ metadata }) => `${metadata.tenant}/${metadata.name}` },
};

export const permissions: PermissionsOf = {
  public: { ...governed, update: managers },
  private: manage,
};
