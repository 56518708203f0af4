import type { ReferenceInput } from "../input/reference.ts";
import { nameKey, objectKey } from "../object/keys.ts";
import { definitionOf, type Kinds } from "../object/kind.ts";
import { type Reference, sharedTenant } from "../object/metadata.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { load, objectIn, type Records } from "../object/records.ts";
import type { Item, Key } from "../store/store.ts";

export const referenceTo = (object: { id: string; metadata: { name: string } }): Reference => ({
  id: object.id,
  name: object.metadata.name,
});

/** Whether a reference means the stored one; one equal member is enough. */
export function means(input: ReferenceInput | undefined, stored: Reference): boolean {
  if (input === undefined) return false;
  if (typeof input === "string") return input === stored.id || input === stored.name;
  if (!input.id && !input.name) return false;
  return (!input.id || input.id === stored.id) && (!input.name || input.name === stored.name);
}

/** The message for a local reference that means no object. `type`: OSAC's name of the kind. */
export function notFoundHere(type: string, reference: ReferenceInput): string {
  const text = typeof reference === "string" ? reference : reference.name || reference.id;
  return text ? `${type} "${text}" not found in this project` : unnamed(type);
}

/** The message for a reference with neither member. */
export const unnamed = (type: string): string => `${type} reference must specify id or name`;

/**
 * The object that a tenant's reference means: its own or a shared one, by id or by name. `claimed` gets the claim of a
 * name; the claim's members show which further reads can begin.
 */
export async function resolve<K extends Kind>(
  records: Records,
  kind: K,
  tenant: string,
  reference: ReferenceInput,
  claimed?: (claim: Item) => void,
): Promise<ObjectOf[K] | undefined> {
  if (typeof reference === "string")
    return found(records, kind, tenant, reference, "by id or name", claimed);
  return meant(reference, {
    byId: async (id) => ofTenant(await load(records, kind, id), tenant),
    byName: (name) => found(records, kind, tenant, name, "by name", claimed),
  });
}

/** Finds the object of a reference. A string is an id or a name; in an object, both members must match. */
async function meant<O extends ObjectOf[Kind]>(
  reference: ReferenceInput,
  find: Record<"byId" | "byName", (text: string) => Promise<O | undefined>>,
): Promise<O | undefined> {
  const { id, name } =
    typeof reference === "string" ? { id: reference, name: reference } : reference;
  if (typeof reference !== "string" && id) {
    const found = await find.byId(id);
    return !name || found?.metadata.name === name ? found : undefined;
  }
  const [found, named] = await Promise.all([id && find.byId(id), name && find.byName(name)]);
  return found || named || undefined;
}

/** The place of an object: its tenant, and its project if it is in one. */
export interface Place {
  tenant: string;
  project?: string | undefined;
}

/** `resolve` within the same tenant and the same project only, like OSAC's local references. */
export async function resolveLocal<K extends Kind>(
  records: Records,
  kind: K,
  { tenant, project }: Place,
  reference: ReferenceInput,
): Promise<ObjectOf[K] | undefined> {
  return meant(reference, {
    byId: async (id) => {
      const object = await load(records, kind, id);
      const isHere =
        object?.metadata.tenant === tenant && (object.metadata.project ?? "") === (project ?? "");
      return isHere ? object : undefined;
    },
    byName: async (name) => {
      const claim = await records.store.get(nameKey(kind, tenant, project ?? "", name));
      return typeof claim?.id === "string" ? load(records, kind, claim.id) : undefined;
    },
  });
}

/** The id that a local reference names, before the object is known to exist. */
export async function idMeantHere(
  { store }: Pick<Records, "store">,
  kind: Kind,
  { tenant, project }: Place,
  reference: ReferenceInput,
): Promise<string | undefined> {
  const { id, name } =
    typeof reference === "string" ? { id: reference, name: reference } : reference;
  const claim = name ? await store.get(nameKey(kind, tenant, project ?? "", name)) : undefined;
  return typeof claim?.id === "string" ? claim.id : id || undefined;
}

/** Finds an object by name: the tenant's own, else the shared one. */
export const byName = <K extends Kind>(records: Records, kind: K, tenant: string, name: string) =>
  found(records, kind, tenant, name, "by name");

async function found<K extends Kind>(
  records: Records,
  kind: K,
  tenant: string,
  text: string,
  how: "by name" | "by id or name",
  claimed?: (claim: Item) => void,
): Promise<ObjectOf[K] | undefined> {
  const [item, ...claims] = await records.store.getMany(
    keysNamed(records.kinds, kind, tenant, text),
  );
  const own = item && objectIn<K>(records.kinds, item);
  const byId = how === "by name" ? undefined : ofTenant(own, tenant);
  if (byId) return byId;
  for (const claim of claims) {
    if (typeof claim?.id !== "string") continue;
    claimed?.(claim);
    const object = claim.id === text ? own : await load(records, kind, claim.id);
    if (object) return object;
  }
  return undefined;
}

const ofTenant = <O extends ObjectOf[Kind]>(object: O | undefined, tenant: string) =>
  object && ownersFor(tenant).includes(object.metadata.tenant) ? object : undefined;

/**
 * The keys for a name: of the object whose id is the name (for kinds whose names are ids), and of the claims of the
 * name.
 */
function keysNamed(kinds: Kinds, kind: Kind, tenant: string, name: string): Key[] {
  const project = definitionOf(kinds, kind).projectOfName?.(name) ?? "";
  const claims = ownersFor(tenant).map((owner) => nameKey(kind, owner, project, name));
  return [objectKey(kind, name), ...claims];
}

export const ownersFor = (tenant: string): string[] => [...new Set([tenant, sharedTenant])];
