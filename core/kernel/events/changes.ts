import { isObject, type Json } from "../input/shape.ts";

/** One member that differs. A value that does not exist is absent. */
export interface MemberChange {
  path: string;
  before?: Json;
  after?: Json;
}

/** The differences between two objects, down to the smallest object or list that holds each. */
export function changesBetween(
  before: Json | undefined,
  after: Json | undefined,
  path = "",
): MemberChange[] {
  // A change keeps the members that it does not concern, so most of the two is the same value.
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
