import type { StoredObject } from "../../kernel/object/object.ts";

export const membershipRoles = ["VIEWER", "MANAGER"] as const;
export type MembershipRole = `PROJECT_MEMBERSHIP_ROLE_${(typeof membershipRoles)[number]}`;

/** The role of users in the project that the metadata name, and in the projects below it. */
export interface ProjectMembershipSpec {
  role: MembershipRole;
  /** The users, by the names in their tokens. */
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

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    project_membership: ProjectMembership;
  }
}
