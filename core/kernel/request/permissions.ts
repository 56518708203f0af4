import type { Kind } from "../object/object.ts";
import type { Role } from "./roles.ts";

/** The parts of permissions: areas, verbs, and the sets of roles that kinds choose from. */

export type Area = "public" | "private";
/** The verb of a request: `list`, `create`; or one of the kind's actions (`action.ts`). */
export type Verb = string;

/** The roles that may use each verb. A verb that is not listed is forbidden to all. */
export type Allowed = Readonly<Record<Verb, readonly Role[]>>;

/** The permissions of a kind: on the tenants' paths, and on the provider's. */
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

/** Everybody reads the kind. */
export const read: Allowed = { list: readers, get: readers };
/** The provider's administrators write the kind, and its staff reads it. */
export const manage: Allowed = { list: staff, get: staff, ...writableBy(admins) };
/** Only the tenant's administrators read and write the kind. */
export const govern: Allowed = { list: governors, get: governors, ...writableBy(governors) };
/** Everybody reads the kind, and the tenant's administrators write it. */
export const governed: Allowed = { ...read, ...writableBy(governors) };
/** Everybody reads the kind, and everybody who may order writes it. */
export const ordered: Allowed = { ...read, ...writableBy(orderers) };
/** Everybody reads the kind and the provider writes it, as on OSAC's public paths. */
export const provided: Allowed = { ...read, ...writableBy(admins) };
