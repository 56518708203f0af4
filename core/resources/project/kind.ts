import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import { parentPath } from "../../kernel/object/project.ts";
import { type Documentation, ofTenant } from "../../kernel/request/documentation.ts";
import {
  governed,
  manage,
  managers,
  type PermissionsOf,
} from "../../kernel/request/permissions.ts";

/**
 * A part of a tenant. Its name is its path, like in OSAC: `shop.web` is a child of `shop`, so names alone tell which
 * projects are below another.
 */
export interface ProjectSpec {
  title?: string;
  description?: string;
  parent?: Reference;
}

interface ProjectStatus {
  state: "PROJECT_STATE_ACTIVE";
}

export type Project = StoredObject<"project", ProjectSpec, ProjectStatus>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    project: Project;
  }
}

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
