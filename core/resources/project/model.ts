import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";

/**
 * A part of a tenant. Its name is its path, like in OSAC: `shop.web` is a child of `shop`, so names alone tell which
 * projects are below another.
 */
export interface ProjectSpec {
  title?: string;
  description?: string;
  parent?: Reference;
}

export interface ProjectStatus {
  state: "PROJECT_STATE_ACTIVE";
}

export type Project = StoredObject<"project", ProjectSpec, ProjectStatus>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    project: Project;
  }
}
