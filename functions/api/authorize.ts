import { AppError } from "../../core/error.ts";
import { groupPartition, memberPartition, userKey } from "../../core/kernel/object/keys.ts";
import { sharedTenant } from "../../core/kernel/object/metadata.ts";
import { outermost } from "../../core/kernel/object/project.ts";
import { begun } from "../../core/kernel/request/begun.ts";
import type { Caller } from "../../core/kernel/request/caller.ts";
import type { Verb } from "../../core/kernel/request/permissions.ts";
import { isOfProvider, isStaff, type Role } from "../../core/kernel/request/roles.ts";
import type { Item, Store } from "../../core/kernel/store/store.ts";
import { grantableRoles } from "../../core/resources/role/kind.ts";
import { portalRoles } from "../../core/resources/tenant/model.ts";
import type { Actor, Principal } from "../identity/principal.ts";
import { rolesFor, type Subject } from "./permissions.ts";
import { definitionOf, isRegisteredKind } from "./registry.ts";
import type { Route } from "./route.ts";

type Asked = Pick<Route, "area" | "subject" | "verb">;

/**
 * The rights of a principal. A token's roles apply to the whole tenant. Only where they do not suffice are bindings
 * and memberships read, once and by key: one query for the user and one for each group.
 */
export class Rights {
  readonly #store: Store;
  readonly #actor: Actor;
  #disabled: Promise<boolean> | undefined;
  #grants: Promise<Grant[]> | undefined;

  constructor(store: Store, actor: Actor) {
    this.#store = store;
    this.#actor = actor;
  }

  /**
   * The caller of a route, with only the roles that allow the route. A user whose record is
   * disabled has no right that the tenant gives; the tenant cannot remove rights that the
   * provider gives. Throws Forbidden.
   */
  async callerFor(asked: Asked): Promise<Caller> {
    const { area, subject, verb } = asked;
    const { user, tenant, roles } = this.#actor;
    const allowed = rolesFor(area, subject, verb);
    const mayBeGranted = this.#mayBeGranted(allowed);
    // Reads the grants in parallel with the user's record, where the token alone does not suffice.
    if (mayBeGranted && !this.callerByToken(asked)) void begun(this.#granted());
    const isOut = await this.#isDisabled();
    const direct = this.callerByToken(asked, isOut);
    if (direct) return direct;
    const isOpen = mayBeGranted && !isOut;
    const grants = isOpen ? await this.#granted() : [];
    const able = grants.filter(({ role }) => allowed.includes(role));
    const bound = able.filter(({ project }) => project === undefined);
    if (bound.length > 0)
      return inWholeTenant(
        this.#actor,
        bound.map(({ role }) => role),
      );
    // A member of the tenant without a project sees empty lists of objects in projects.
    const isMember = isOpen && roles.length === 0 && allowed.includes("project-viewer");
    if (able.length === 0 && !(isMember && isReadInProjects(subject, verb))) throw denied();
    const paths = (some: Grant[]) => outermost(some.flatMap(({ project }) => project ?? []));
    const projects = { seen: paths(grants), allowed: paths(able) };
    return { user, tenant, everywhere: false, projects };
  }

  /**
   * The caller of a route by the token alone; `isOut` says that the user is disabled. Undefined where the token
   * does not suffice.
   */
  callerByToken({ area, subject, verb }: Asked, isOut = false): Caller | undefined {
    const allowed = rolesFor(area, subject, verb);
    const direct = this.#actor.roles.filter(
      (role) => allowed.includes(role) && !(isOut && !isOfProvider(role)),
    );
    return direct.length > 0 ? inWholeTenant(this.#actor, direct) : undefined;
  }

  /** Whether a binding or a membership could give a role that allows the route. */
  #mayBeGranted(allowed: readonly Role[]): boolean {
    const { tenant, isActedFor = false } = this.#actor;
    return tenant !== "" && !isActedFor && allowed.some(isGrantable);
  }

  #isDisabled(): Promise<boolean> {
    this.#disabled ??= isDisabled(this.#store, this.#actor);
    return this.#disabled;
  }

  #granted(): Promise<Grant[]> {
    this.#grants ??= grantsOf(this.#store, this.#actor);
    return this.#grants;
  }
}

/**
 * Whether a request is likely to be allowed, by the token, by the user's grants, or for a portal by the tenant's
 * record. Only likely requests are prefetched.
 */
export function isLikely(
  { tenant, roles }: Principal,
  { area, subject, verb }: Asked,
  isForAnother: boolean,
): boolean {
  const allowed = rolesFor(area, subject, verb);
  if (isForAnother)
    return roles.includes("portal") && portalRoles.some((role) => allowed.includes(role));
  return (
    roles.some((role) => allowed.includes(role)) || (tenant !== "" && allowed.some(isGrantable))
  );
}

function inWholeTenant({ user, tenant }: Principal, roles: Role[]): Caller {
  return { user, tenant: tenant || sharedTenant, everywhere: roles.some(isStaff) };
}

/** A role in a project, or in the whole tenant. */
interface Grant {
  project?: string;
  role: Role;
}

async function isDisabled(store: Store, { tenant, user }: Principal): Promise<boolean> {
  return tenant !== "" && (await store.get(userKey(tenant, user)))?.enabled === false;
}

/**
 * Reads one page for the user and for each group: a user with more than a hundred projects should have a role in
 * the tenant.
 */
async function grantsOf(store: Store, principal: Principal): Promise<Grant[]> {
  const { tenant, user, groups = [], isRestricted = false } = principal;
  const partitions = [
    memberPartition(tenant, user),
    ...groups.map((group) => groupPartition(tenant, group)),
  ];
  const pages = await Promise.all(partitions.map((pk) => store.query({ pk, limit: 100 })));
  const grants = pages.flatMap(({ items }) => items.flatMap(grantIn));
  return isRestricted ? grants.filter(({ role }) => !isOfProvider(role)) : grants;
}

/** The grant of an index entry: of a binding, with its role, or of a membership. */
function grantIn({ project, role }: Item): Grant[] {
  const inProject = typeof project === "string" ? { project } : {};
  const bound = grantableRoles.find((each) => each === role);
  if (bound) return [{ ...inProject, role: bound }];
  if (typeof project !== "string") return [];
  const isManager = role === "PROJECT_MEMBERSHIP_ROLE_MANAGER";
  return [{ project, role: isManager ? "project-manager" : "project-viewer" }];
}

/** Whether a request reads objects in projects; a caller may have no project. */
const isReadInProjects = (subject: Subject, verb: Verb): boolean =>
  (verb === "list" || verb === "get") &&
  isRegisteredKind(subject) &&
  definitionOf(subject).inProjects === true;

const isGrantable = (role: Role): boolean => (grantableRoles as readonly Role[]).includes(role);

const denied = (): AppError => new AppError("Forbidden", "permission denied");
