import type { Deps } from "../../core/kernel/deps.ts";
import { pluralOf } from "../../core/kernel/object/object.ts";
import type { RequestDeps } from "../../core/kernel/request/request-deps.ts";
import { kindNames } from "./registry.ts";
import type { Route } from "./route.ts";

/**
 * Routes by the first part of their path after the version, such as `clusters`. A file is loaded with the
 * first request for it, so the start loads none; the bundler makes one file of those of the prompt families.
 */
export type Families<D extends Deps = RequestDeps> = Readonly<
  Record<string, () => Promise<readonly Route<D>[]>>
>;

const ofKinds: Families = Object.fromEntries(
  kindNames.map((kind) => [
    pluralOf(kind),
    async () => (await import("./catalog.ts")).routesOfKind(kind),
  ]),
);

/** Families that answer at once; watches wait. */
export const promptFamilies: Families = {
  ...ofKinds,
  operations: async () => (await import("./operations.ts")).operationRoutes,
  invalid_objects: async () => (await import("./invalid-objects.ts")).invalidObjectRoutes,
  owners: async () => (await import("./owners.ts")).ownerRoutes,
  status: async () => (await import("./status.ts")).statusRoutes,
  capacity: async () => (await import("./capacity.ts")).capacityRoutes,
  removal: async () => (await import("./switches.ts")).switchRoutes("removal"),
  intake: async () => (await import("./switches.ts")).switchRoutes("intake"),
  audit_entries: async () => (await import("./audit-entries.ts")).auditRoutes,
};

/** All routes that require authentication. On AWS, watches have a function of their own. */
export const families: Families = {
  ...promptFamilies,
  events: async () => (await import("./events.ts")).eventRoutes,
};

export async function routesOf(families: Families): Promise<Route[]> {
  const loaded = await Promise.all(Object.values(families).map((load) => load()));
  return loaded.flat();
}

/** The families with all their routes loaded. */
export async function loadedFamilies(families: Families): Promise<Families> {
  const loaded = Object.entries(families).map(async ([name, load]) => {
    const routes = await load();
    return [name, async () => routes] as const;
  });
  return Object.fromEntries(await Promise.all(loaded));
}
