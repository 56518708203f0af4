import * as z from "zod";
import { derived } from "./derived.ts";
import {
  inputOf,
  internalError,
  invalidInput,
  NeutronFault,
  notFound,
  parseBody,
} from "./error.ts";
import { requireAllowed, seenBy } from "./policy.ts";
import type { Common, Kind, Tables } from "./records.ts";
import type { FabricState } from "./state.ts";

export type Wire = Record<string, unknown>;

/** One kind of object behind `/v2.0/<collection>`. */
export interface Definition<K extends Kind, Create, Update> {
  kind: K;
  collection: string;
  /** The error for an unknown id: its class and its message. */
  missing: { type: string; text: (id: string) => string };
  create: z.ZodType<Create>;
  make(state: FabricState, input: Create): Tables[K];
  /** Absent for kinds that cannot be changed. */
  update?: z.ZodType<Update>;
  change?(state: FabricState, record: Tables[K], input: Update): Tables[K];
  remove(state: FabricState, record: Tables[K]): void;
  /** The kind's own members on the wire. */
  view(state: FabricState, record: Tables[K]): Wire;
}

/** A definition without its types, so that all kinds fit in one table. */
export interface Resource {
  kind: Kind;
  collection: string;
  missing: { type: string; text: (id: string) => string };
  list(state: FabricState): Wire[];
  get(state: FabricState, id: string): Wire;
  create(state: FabricState, body: unknown): Wire;
  update(state: FabricState, id: string, body: unknown, ifMatch?: string): Wire;
  remove(state: FabricState, id: string, ifMatch?: string): void;
  setTags(state: FabricState, id: string, tags: string[]): void;
  tags(state: FabricState, id: string): string[];
}

export function resource<K extends Kind, Create, Update>(
  definition: Definition<K, Create, Update>,
): Resource {
  const { kind, collection, missing } = definition;
  const find = (state: FabricState, id: string): Tables[K] => {
    const found = state.records.get(kind, id);
    if (!found) throw notFound(missing.type, missing.text(id));
    return found;
  };
  /** Neutron's error for tags of an unknown object, whatever its kind. */
  const tagged = (state: FabricState, id: string): Tables[K] => {
    const found = state.records.get(kind, id);
    if (!found) throw internalError();
    return found;
  };
  const rolesIn = (state: FabricState) => state.context.settings.roles;
  const view = (state: FabricState, record: Tables[K]): Wire =>
    seenBy(rolesIn(state), kind, { ...commonView(record), ...definition.view(state, record) });
  return {
    kind,
    collection,
    missing,
    list: (state) => state.records.all(kind).map((record) => view(state, record)),
    get: (state, id) => view(state, find(state, id)),
    create(state, body) {
      const input = parseBody(kind, definition.create, body);
      requireAllowed(rolesIn(state), "create", kind, inputOf(kind, body));
      state.requireQuota(kind);
      return view(state, definition.make(state, input));
    },
    update(state, id, body, ifMatch) {
      const record = find(state, id);
      if (!definition.update || !definition.change) {
        throw new NeutronFault(405, "HTTPMethodNotAllowed", "The method is not allowed.");
      }
      const input = parseBody(kind, definition.update, body);
      requireAllowed(rolesIn(state), "update", kind, inputOf(kind, body));
      requireRevision(record, ifMatch);
      return view(state, definition.change(state, record, input));
    },
    remove(state, id, ifMatch) {
      const record = find(state, id);
      requireAllowed(rolesIn(state), "delete", kind);
      requireRevision(record, ifMatch);
      definition.remove(state, record);
    },
    tags: (state, id) => tagged(state, id).tags,
    setTags(state, id, tags) {
      const record = tagged(state, id);
      const long = tags.find((tag) => tag.length > 255);
      if (long !== undefined) throw invalidInput(`'${long}' exceeds maximum length of 255`);
      const twice = tags.find((tag, n) => tags.indexOf(tag) !== n);
      if (twice !== undefined) throw invalidInput(`Duplicate items in the list: '${twice}'`);
      if (tags.length > 50) {
        const text = "The number of tags exceed the per-resource limit of 50";
        throw new NeutronFault(400, "BadRequest", `Bad ${collection} request: ${text}.`);
      }
      requireAllowed(rolesIn(state), "update", kind);
      state.records.put(kind, { ...record, tags });
    },
  };
}

/** Cached, since lists are read far more often than records change. */
export const commonView = derived((record: Common): Wire => {
  const { id, name, description, project_id, tags, revision_number } = record;
  return {
    id,
    name,
    description,
    project_id,
    tenant_id: project_id,
    tags,
    revision_number,
    created_at: time(record.created_at),
    updated_at: time(record.updated_at),
  };
});

/** Neutron's timestamps have no fractions. */
const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

function requireRevision({ revision_number: current }: Common, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  const constraints = ifMatch.split(",");
  const wanted = /^\s*revision_number=(\d+)\s*$/.exec(constraints[0] ?? "")?.[1];
  if (wanted === undefined || constraints.length > 1) {
    throw new NeutronFault(400, "BadRequest", `Invalid If-Match constraint: ${ifMatch}`);
  }
  if (Number(wanted) === current) return;
  throw new NeutronFault(
    412,
    "RevisionNumberConstraintFailed",
    `Constrained to ${wanted}, but current revision is ${current}`,
  );
}

/** The members that every kind accepts in creations and changes. */
export const named = {
  name: z.string().max(255).optional(),
  description: z.string().max(255).optional(),
};

/** The members that a request contains. */
export function given<T extends object>(values: T): { [P in keyof T]?: Exclude<T[P], undefined> } {
  const said = Object.entries(values).filter(([, value]) => value !== undefined);
  // Safe: the entries are those of T that are not undefined.
  return Object.fromEntries(said) as { [P in keyof T]?: Exclude<T[P], undefined> };
}
