import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import { parentPath } from "../../kernel/object/project.ts";
import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";
import {
  governed,
  manage,
  managers,
  type PermissionsOf,
} from "../../kernel/request/permissions.ts";

export const kind: KindDefinition<"project"> = {
  events: commonChanges,
  inProjects: true,
  // A project counts as inside itself; other objects refer to it by its path.
  project: ({ name }) => name,
  projectOfName: parentPath,
  referencedByOthers: { id: ({ metadata }) => `${metadata.tenant}/${metadata.name}` },
};

export const permissions: PermissionsOf = {
  public: { ...governed, update: managers },
  private: manage,
};

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
