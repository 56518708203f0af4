import { AppError } from "../../core/error.ts";
import type { Kind } from "../../core/model/object.ts";
import type { Principal, Role } from "./principal.ts";

/** Who may do what: the one table. What is not in it, nobody may. */

export type Area = "public" | "private";
export type Verb =
  | "list"
  | "get"
  | "create"
  | "update"
  | "delete"
  | "credentials"
  | "history"
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
export type Subject = Kind | "event" | "removal" | "audit_entry";

const admins: Role[] = ["provider-admin"];
const tenants: Role[] = ["provider-admin", "tenant-admin", "tenant-user"];
/** Hub agents; each for its own hub only, which the route sees to. */
const agents: Role[] = ["agent"];
const owners: Role[] = ["provider-admin", "tenant-admin"];
const read = { list: tenants, get: tenants };
const manage = { list: admins, get: admins, create: admins, update: admins, delete: admins };

export const permissions = {
  public: {
    cluster: {
      ...read,
      create: tenants,
      update: tenants,
      delete: tenants,
      credentials: tenants,
      history: tenants,
      retry: tenants,
    },
    cluster_template: read,
    cluster_version: read,
    host_type: read,
    operation: { ...read, cancel: tenants, resume: tenants },
    event: { watch: tenants },
    webhook: {
      ...{ list: owners, get: owners, create: owners, update: owners, delete: owners },
      ...{ deliveries: owners, replay: owners, test: owners, rotate: owners },
    },
  },
  private: {
    // On behalf of a tenant: `metadata.tenant`.
    cluster: { ...manage, history: admins, retry: admins },
    cluster_template: manage,
    cluster_version: manage,
    host_type: manage,
    hub: { ...manage, report: agents },
    host: manage,
    site: manage,
    operation: { list: admins, get: admins, cancel: admins, resume: admins },
    event: { watch: admins },
    removal: { get: admins, pause: admins, resume: admins },
    audit_entry: { list: admins },
    webhook: manage,
  },
} satisfies Record<Area, Partial<Record<Subject, Partial<Record<Verb, Role[]>>>>>;

/** Throws Forbidden. */
export function authorize(principal: Principal, area: Area, subject: Subject, verb: Verb): void {
  const table: Partial<Record<Subject, Partial<Record<Verb, Role[]>>>> = permissions[area];
  const allowed = table[subject]?.[verb] ?? [];
  if (!principal.roles.some((role) => allowed.includes(role))) {
    throw new AppError("Forbidden", "permission denied");
  }
}
