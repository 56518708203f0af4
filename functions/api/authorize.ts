import { AppError } from "../../core/error.ts";
import { grantableRoles } from "../../core/kinds/role.ts";
import { sharedTenant } from "../../core/model/metadata.ts";
import { outermost } from "../../core/model/project.ts";
import type { Caller } from "../../core/order/caller.ts";
import { groupPartition, memberPartition, userKey } from "../../core/store/keys.ts";
import type { Item, Store } from "../../core/store/store.ts";
import { rolesFor } from "./permissions.ts";
import type { Actor, Principal, Role } from "./principal.ts";
import type { Route } from "./route.ts";

/**
 * The caller of a route, with no more than the roles that allow it give. Roles of a token hold for
 * the whole tenant; only who has none that will do is looked up in bindings and memberships, by
 * key: one query for the user and one for each group. A user whose record is disabled may do
 * nothing. Throws Forbidden.
 */
export async function callerFor(
  store: Store,
  actor: Actor,
  { area, subject, verb }: Pick<Route, "area" | "subject" | "verb">,
): Promise<Caller> {
  const { user, tenant, roles, isActedFor = false } = actor;
  if (await isDisabled(store, actor)) throw denied();
  const allowed = rolesFor(area, subject, verb);
  const direct = roles.filter((role) => allowed.includes(role));
  if (direct.length > 0) return inWholeTenant(actor, direct);
  const isOpen = tenant !== "" && !isActedFor && allowed.some(isGrantable);
  const grants = isOpen ? await grantsOf(store, actor) : [];
  const able = grants.filter(({ role }) => allowed.includes(role));
  const bound = able.filter(({ project }) => project === undefined);
  if (bound.length > 0)
    return inWholeTenant(
      actor,
      bound.map(({ role }) => role),
    );
  if (able.length === 0) throw denied();
  const paths = (some: Grant[]) => outermost(some.flatMap(({ project }) => project ?? []));
  const projects = { seen: paths(grants), allowed: paths(able) };
  return { user, tenant, everywhere: false, projects };
}

function inWholeTenant({ user, tenant }: Principal, roles: Role[]): Caller {
  return { user, tenant: tenant || sharedTenant, everywhere: roles.some(isOfProvider) };
}

/** A role in a project, or in the whole tenant. */
interface Grant {
  project?: string;
  role: Role;
}

async function isDisabled(store: Store, { tenant, user }: Principal): Promise<boolean> {
  return tenant !== "" && (await store.get(userKey(tenant, user)))?.enabled === false;
}

/** Of one page each: a user of more projects than a hundred belongs to the tenant. */
async function grantsOf(store: Store, { tenant, user, groups = [] }: Principal): Promise<Grant[]> {
  const partitions = [
    memberPartition(tenant, user),
    ...groups.map((group) => groupPartition(tenant, group)),
  ];
  const pages = await Promise.all(partitions.map((pk) => store.query({ pk, limit: 100 })));
  return pages.flatMap(({ items }) => items.flatMap(grantIn));
}

/** Entries are of bindings, which name a role of the table, or of memberships. */
function grantIn({ project, role }: Item): Grant[] {
  const inProject = typeof project === "string" ? { project } : {};
  const bound = grantableRoles.find((each) => each === role);
  if (bound) return [{ ...inProject, role: bound }];
  if (typeof project !== "string") return [];
  const isManager = role === "PROJECT_MEMBERSHIP_ROLE_MANAGER";
  return [{ project, role: isManager ? "project-manager" : "project-viewer" }];
}

const isGrantable = (role: Role): boolean => (grantableRoles as readonly Role[]).includes(role);

const isOfProvider = (role: Role): boolean =>
  role === "provider-admin" || role === "provider-viewer";

const denied = (): AppError => new AppError("Forbidden", "permission denied");
