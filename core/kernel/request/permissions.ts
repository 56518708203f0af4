import type { Kind } from "../object/object.ts";
import type { Role } from "./roles.ts";

/** What permissions are made of: areas, verbs, and the sets of roles that kinds choose from. */

export type Area = "public" | "private";
export type Verb =
  | "list"
  | "get"
  | "create"
  | "update"
  | "delete"
  | "credentials"
  | "issue"
  | "revoke"
  | "history"
  | "upgrades"
  | "cancel"
  | "resume"
  | "retry"
  | "watch"
  | "report"
  | "pause"
  | "deliveries"
  | "replay"
  | "test"
  | "rotate";

/** The roles that may do something. Nobody may do what is not named. */
export type Allowed = Readonly<Partial<Record<Verb, readonly Role[]>>>;

/** Who may do what with the objects of a kind: on the tenants' paths, and on the provider's. */
export interface PermissionsOf {
  public?: Allowed;
  private: Allowed;
}

export type KindPermissions = { readonly [K in Kind]?: PermissionsOf };

export const admins: readonly Role[] = ["provider-admin"];
export const staff: readonly Role[] = ["provider-admin", "provider-viewer"];
/** Administrators of the tenant and of the provider. */
export const governors: readonly Role[] = ["provider-admin", "tenant-admin"];
export const managers: readonly Role[] = [...governors, "project-manager"];
export const orderers: readonly Role[] = [...governors, "tenant-user", "project-manager"];
export const readers: readonly Role[] = [...orderers, "provider-viewer", "project-viewer"];
/** Hub agents; the route limits each to its own hub. */
export const agents: readonly Role[] = ["agent"];

const writableBy = (roles: readonly Role[]) => ({ create: roles, update: roles, delete: roles });

/** Everybody reads it. */
export const read: Allowed = { list: readers, get: readers };
/** The provider's administrators write it, and its staff reads it. */
export const manage: Allowed = { list: staff, get: staff, ...writableBy(admins) };
/** The tenant's administrators alone read and write it. */
export const govern: Allowed = { list: governors, get: governors, ...writableBy(governors) };
/** Everybody reads it, and the tenant's administrators write it. */
export const governed: Allowed = { ...read, ...writableBy(governors) };
/** Everybody reads it, and whoever may order writes it. */
export const ordered: Allowed = { ...read, ...writableBy(orderers) };
/** Everybody reads it and the provider writes it, as on OSAC's public paths. */
export const provided: Allowed = { ...read, ...writableBy(admins) };
