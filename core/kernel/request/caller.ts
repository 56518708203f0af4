import { AppError, type Violation } from "../../error.ts";
import { projectNameKey } from "../object/keys.ts";
import { definitionOf, type Kinds } from "../object/kind.ts";
import { type Metadata, sharedTenant } from "../object/metadata.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { isInProjects, projectOf } from "../object/project.ts";
import { load, type Records } from "../object/records.ts";

/** The members of a caller that decide whether an order is accepted. */
export interface Caller {
  user: string;
  /** The tenant of the objects, unless the request names another. */
  tenant: string;
  /** An administrator of the provider, who sees every tenant's objects. */
  everywhere: boolean;
  /** Set for a caller who is only a member of projects; for this caller, objects outside of these do not exist. */
  projects?: CallerProjects;
}

/** Paths of projects; each includes the projects below it. */
export interface CallerProjects {
  seen: readonly string[];
  /** The projects for whose objects the caller may make this request. */
  allowed: readonly string[];
}

/** The members of an object that decide who may see it. */
type Seen = Pick<ObjectOf[Kind], "kind"> & {
  metadata: Pick<Metadata, "tenant" | "name" | "project">;
  /** Absent where the spec is unknown: then only the provider may see a shared object that is not offered to all. */
  spec?: ObjectOf[Kind]["spec"];
};

/** Whether a caller sees an object, or an event about it. */
export function sees(kinds: Kinds, caller: Caller, object: Seen): boolean {
  const { tenant } = object.metadata;
  if (caller.everywhere) return true;
  const { shared } = definitionOf(kinds, object.kind);
  if (tenant === sharedTenant && shared) {
    const { isOffered } = shared;
    const { spec } = object;
    return !isOffered || (spec !== undefined && isOffered({ spec }, caller.tenant));
  }
  return tenant === caller.tenant && isInside(kinds, object, caller.projects?.seen);
}

/** Without `projects`, every object of the tenant is inside. */
const isInside = (
  kinds: Kinds,
  { kind, metadata }: Seen,
  projects: readonly string[] | undefined,
): boolean =>
  projects === undefined ||
  !definitionOf(kinds, kind).inProjects ||
  isInProjects(projects, projectOf(kinds, { kind, metadata }));

const denied = (): AppError => new AppError("Forbidden", "permission denied");

export const notFound = (id: string): AppError =>
  new AppError("NotFound", `object with identifier '${id}' not found`);

/** Ids are 1 to 253 characters; a longer one would exceed the store's limit for keys. */
export const isPlausibleId = (id: string): boolean => id !== "" && id.length <= 253;

/**
 * Reads an object for a caller. Another tenant's object counts as missing, with the same message.
 * Throws NotFound, or Forbidden if the caller may see the object but not make this request.
 */
export async function mustSee<K extends Kind>(
  records: Records,
  caller: Caller,
  kind: K,
  id: string,
): Promise<ObjectOf[K]> {
  const object = isPlausibleId(id) ? await load(records, kind, id) : undefined;
  if (!object || !sees(records.kinds, caller, object)) throw notFound(id);
  if (!isInside(records.kinds, object, caller.projects?.allowed)) throw denied();
  return object;
}

/** `mustSee` for a change: shared objects can be seen by everybody, but changed by the provider only. */
export async function mustOwn<K extends Kind>(
  records: Records,
  caller: Caller,
  kind: K,
  id: string,
): Promise<ObjectOf[K]> {
  const object = await mustSee(records, caller, kind, id);
  if (!caller.everywhere && object.metadata.tenant !== caller.tenant) throw denied();
  return object;
}

/**
 * Checks that the project of a new object exists and that the caller may use it. Throws Forbidden. The transaction
 * checks again that the project exists (`uses.ts`).
 */
export async function checkProject(
  { store }: Pick<Records, "store">,
  caller: Caller,
  tenant: string,
  project: string | undefined,
  violations: Violation[],
): Promise<void> {
  if (caller.projects && !isInProjects(caller.projects.allowed, project)) throw denied();
  if (!project || (await store.get(projectNameKey(tenant, project)))) return;
  violations.push({ field: "metadata.project", message: `project '${project}' doesn't exist` });
}

/** The tenant of a new object. Throws Forbidden when the caller may not choose it. */
export function tenantFor(
  caller: Caller,
  wanted: string | undefined,
  fallback = caller.tenant,
): string {
  if (wanted === undefined || wanted === "") return fallback;
  if (caller.everywhere || wanted === caller.tenant) return wanted;
  throw new AppError("Forbidden", `tenant '${wanted}' can't be assigned`);
}
