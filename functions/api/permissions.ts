import type { Kind } from "../../core/kernel/object/object.ts";
import type { SwitchName } from "../../core/switch.ts";
import type { Role } from "./principal.ts";

/** Who may do what: one table, by area, kind and verb. It allows everything that is allowed. */

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
export type Subject = Kind | "event" | SwitchName | "audit_entry" | "capacity";
type Table = Record<Area, Partial<Record<Subject, Partial<Record<Verb, readonly Role[]>>>>>;

const admins: Role[] = ["provider-admin"];
const staff: Role[] = ["provider-admin", "provider-viewer"];
/** Administrators of the tenant and of the provider. */
const governors: Role[] = ["provider-admin", "tenant-admin"];
const orderers: Role[] = [...governors, "tenant-user", "project-manager"];
const readers: Role[] = [...orderers, "provider-viewer", "project-viewer"];
/** Hub agents; the route limits each to its own hub. */
const agents: Role[] = ["agent"];

const read = { list: readers, get: readers };
const manage = { list: staff, get: staff, create: admins, update: admins, delete: admins };
const govern = {
  ...{ list: governors, get: governors },
  ...{ create: governors, update: governors, delete: governors },
};
/** Readable for everybody and writable for the provider, as on OSAC's public paths. */
const provided = { ...read, create: admins, update: admins, delete: admins };
const managers: Role[] = [...governors, "project-manager"];

export const permissions = {
  public: {
    cluster: {
      ...read,
      create: orderers,
      update: orderers,
      delete: orderers,
      credentials: orderers,
      issue: orderers,
      revoke: orderers,
      history: readers,
      upgrades: readers,
      retry: orderers,
    },
    cluster_template: provided,
    cluster_version: provided,
    host_type: provided,
    operation: { ...read, cancel: orderers, resume: orderers },
    tenant: read,
    project: { ...read, create: governors, update: managers, delete: governors },
    project_membership: { ...read, create: managers, update: managers, delete: managers },
    quota: read,
    cluster_catalog_item: { ...read, create: governors, update: governors, delete: governors },
    event: { watch: readers },
    user: govern,
    role: provided,
    role_binding: { ...read, create: governors, update: governors, delete: governors },
    identity_provider: govern,
    secret: { ...read, create: orderers, update: orderers, delete: orderers },
    webhook: {
      ...govern,
      ...{ deliveries: governors, replay: governors, test: governors, rotate: governors },
    },
  },
  private: {
    // `metadata.tenant` names the tenant on whose behalf it is.
    cluster: { ...manage, history: staff, upgrades: staff, retry: admins },
    cluster_template: manage,
    cluster_version: manage,
    host_type: manage,
    hub: { ...manage, report: agents },
    host: manage,
    site: manage,
    operation: { list: staff, get: staff, cancel: admins, resume: admins },
    tenant: manage,
    project: manage,
    project_membership: manage,
    quota: manage,
    cluster_catalog_item: manage,
    event: { watch: staff },
    removal: { get: staff, pause: admins, resume: admins },
    intake: { get: staff, pause: admins, resume: admins },
    audit_entry: { list: admins },
    capacity: { get: staff },
    webhook: manage,
    user: manage,
    role: manage,
    role_binding: manage,
    identity_provider: manage,
    secret: manage,
  },
} satisfies Table;

/** The roles that allow it. Roles in a project count in the caller's projects only. */
export function rolesFor(area: Area, subject: Subject, verb: Verb): readonly Role[] {
  const table: Table[Area] = permissions[area];
  return table[subject]?.[verb] ?? [];
}
