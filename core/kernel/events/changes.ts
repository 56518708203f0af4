import { bounds, most } from "../../bounds.ts";
import { isObject, type Json } from "../input/shape.ts";

/** One member that differs; a missing value is undefined. */
export interface MemberChange {
  path: string;
  before?: Json;
  after?: Json;
}

/** The differences between two objects, each at the smallest object or list that contains it. */
export function changesBetween(
  before: Json | undefined,
  after: Json | undefined,
  path = "",
): MemberChange[] {
  // A change shares unchanged members with the previous object, so most values are identical.
  if (before === after) return [];
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      changesBetween(before[name], after[name], path === "" ? name : `${path}.${name}`),
    );
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [
    {
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    },
  ];
}

/**
 * The paths, each once. Member names of people and reporters may be many or long; then each path is shortened
 * to its container, such as `metadata.annotations`.
 */
export function boundedPaths(paths: readonly string[]): string[] {
  const upTo = (parts: number) => unique(paths.map((path) => path.split(".", parts).join(".")));
  return [unique(paths), upTo(2)].find(isBounded) ?? upTo(1);
}

const unique = (paths: readonly string[]): string[] => [...new Set(paths)];

const isBounded = (paths: readonly string[]): boolean =>
  paths.length <= most.paths && Buffer.byteLength(paths.join()) <= bounds.paths;
