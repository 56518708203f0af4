import { bounds, most } from "../../bounds.ts";
import { isObject, type Json } from "../input/shape.ts";

/** One member that differs. A missing value is absent. */
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
  // A change shares the members that it does not touch, so most values of the two are identical.
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
 * The paths, each once. People and reporters name members, so paths can be too many or too long; then each is shortened
 * to its container, such as `metadata.annotations`.
 */
export function boundedPaths(paths: readonly string[]): string[] {
  const upTo = (parts: number) => unique(paths.map((path) => path.split(".", parts).join(".")));
  return [unique(paths), upTo(2)].find(isBounded) ?? upTo(1);
}

const unique = (paths: readonly string[]): string[] => [...new Set(paths)];

const isBounded = (paths: readonly string[]): boolean =>
  paths.length <= most.paths && Buffer.byteLength(paths.join()) <= bounds.paths;
