import type { Metadata, Reference } from "../../kernel/object/metadata.ts";
import type { Kind, StoredObject } from "../../kernel/object/object.ts";

/**
 * A part of a tenant. Its name is its path, as OSAC has it: `shop.web` is a child of `shop`, so
 * that what is below a project is known from names alone.
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

/** The path of a project's parent; undefined for one at the top. */
export function parentPath(path: string): string | undefined {
  const dot = path.lastIndexOf(".");
  return dot < 0 ? undefined : path.slice(0, dot);
}

/** A project and all above it, itself first. */
export function lineage(path: string): string[] {
  const parent = parentPath(path);
  return parent === undefined ? [path] : [path, ...lineage(parent)];
}

/** Whether a project is one of these or below one. */
export const isWithin = (roots: readonly string[], path: string | undefined): boolean =>
  path !== undefined && lineage(path).some((each) => roots.includes(each));

/** The same without those that are below another. */
export const outermost = (paths: Iterable<string>): string[] => {
  const all = [...new Set(paths)];
  return all.filter((path) => !isWithin(all, parentPath(path)));
};

/** The project that an object is in; a project is in itself. */
export const projectOf = ({
  kind,
  metadata,
}: {
  kind: Kind;
  metadata: Pick<Metadata, "name" | "project">;
}): string | undefined => (kind === "project" ? metadata.name : metadata.project);

export const membershipRoles = ["VIEWER", "MANAGER"] as const;
export type MembershipRole = `PROJECT_MEMBERSHIP_ROLE_${(typeof membershipRoles)[number]}`;

/** What users may do in the project that the metadata name, and in those below. */
export interface ProjectMembershipSpec {
  role: MembershipRole;
  /** By the names in their tokens. */
  users: string[];
}

export interface ProjectMembershipStatus {
  state: "PROJECT_MEMBERSHIP_STATE_READY";
}

export type ProjectMembership = StoredObject<
  "project_membership",
  ProjectMembershipSpec,
  ProjectMembershipStatus
>;
