import { AppError } from "../../core/error.ts";
import { sharedTenant } from "../../core/model/metadata.ts";
import { outermost } from "../../core/model/project.ts";
import type { Caller } from "../../core/order/caller.ts";
import { memberPartition } from "../../core/store/keys.ts";
import type { Store } from "../../core/store/store.ts";
import { isProjectRole, rolesFor } from "./permissions.ts";
import type { Principal, Role } from "./principal.ts";
import type { Route } from "./route.ts";

/**
 * The caller of a route, with no more than the roles that allow it give. Roles of a token hold for
 * the whole tenant; only who has none that will do is looked up as a member of projects, in one
 * query by key. Throws Forbidden.
 */
export async function callerFor(
  store: Store,
  { user, tenant, roles }: Principal,
  { area, subject, verb }: Pick<Route, "area" | "subject" | "verb">,
): Promise<Caller> {
  const allowed = rolesFor(area, subject, verb);
  const direct = roles.filter((role) => allowed.includes(role));
  if (direct.length > 0) {
    const everywhere = direct.some(isOfProvider);
    return { user, tenant: tenant || sharedTenant, everywhere };
  }
  const isOpen = tenant !== "" && allowed.some(isProjectRole);
  const memberships = isOpen ? await membershipsOf(store, tenant, user) : [];
  const able = memberships.filter(({ role }) => allowed.includes(role));
  if (able.length === 0) throw new AppError("Forbidden", "permission denied");
  const paths = (some: Membership[]) => outermost(some.map(({ project }) => project));
  const projects = { seen: paths(memberships), allowed: paths(able) };
  return { user, tenant, everywhere: false, projects };
}

interface Membership {
  project: string;
  role: Role;
}

/** Of one page: a user of more projects than a hundred belongs to the tenant. */
async function membershipsOf(store: Store, tenant: string, user: string): Promise<Membership[]> {
  const { items } = await store.query({ pk: memberPartition(tenant, user), limit: 100 });
  return items.map(({ project, role }) => ({
    project: String(project),
    role: role === "PROJECT_MEMBERSHIP_ROLE_MANAGER" ? "project-manager" : "project-viewer",
  }));
}

const isOfProvider = (role: Role): boolean =>
  role === "provider-admin" || role === "provider-viewer";
