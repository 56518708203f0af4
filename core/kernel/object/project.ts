import { definitionOf, type Kinds } from "./kind.ts";
import type { Metadata } from "./metadata.ts";
import type { Kind } from "./object.ts";

/** Projects are parts of a tenant, named by their paths: `shop.web` is below `shop`. */

/** The path of a project's parent; undefined for one at the top. */
export function parentPath(path: string): string | undefined {
  const dot = path.lastIndexOf(".");
  return dot < 0 ? undefined : path.slice(0, dot);
}

/** The path of a project and of all projects above it; its own comes first. */
export function lineage(path: string): string[] {
  const parent = parentPath(path);
  return parent === undefined ? [path] : [path, ...lineage(parent)];
}

/** Whether a project is one of `roots`, or below one of them. */
export const isInProjects = (roots: readonly string[], path: string | undefined): boolean =>
  path !== undefined && lineage(path).some((each) => roots.includes(each));

/** The paths that are not below another one of them. */
export const outermost = (paths: Iterable<string>): string[] => {
  const all = [...new Set(paths)];
  return all.filter((path) => !isInProjects(all, parentPath(path)));
};

/** The project that an object is in. */
export const projectOf = (
  kinds: Kinds,
  { kind, metadata }: { kind: Kind; metadata: Pick<Metadata, "name" | "project"> },
): string | undefined => {
  const { project } = definitionOf(kinds, kind);
  return project ? project(metadata) : metadata.project;
};
