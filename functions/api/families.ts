import { pluralOf } from "../../core/kernel/object/object.ts";
import { kindNames } from "./registry.ts";
import type { Route } from "./route.ts";

/**
 * Routes by the first part of their path after the version, such as `clusters`. Each of a few files is loaded with
 * the first request for it, so the start loads none, and few files make a fast start.
 */
export type Families = Readonly<Record<string, () => Promise<readonly Route[]>>>;

const ofKinds: Families = Object.fromEntries(
  kindNames.map((kind) => [
    pluralOf(kind),
    async () => (await import("./catalog.ts")).routesOfKind(kind),
  ]),
);

/** Families that answer at once; watches wait. */
export const promptFamilies: Families = {
  ...ofKinds,
  operations: async () => (await import("./catalog.ts")).operationRoutes,
  invalid_objects: async () => (await import("./catalog.ts")).invalidObjectRoutes,
  owners: async () => (await import("./catalog.ts")).ownerRoutes,
  status: async () => (await import("./catalog.ts")).statusRoutes,
  capacity: async () => (await import("./catalog.ts")).capacityRoutes,
  removal: async () => (await import("./catalog.ts")).switchRoutes("removal"),
  intake: async () => (await import("./catalog.ts")).switchRoutes("intake"),
  audit_entries: async () => (await import("./catalog.ts")).auditRoutes,
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
