import { misuse } from "./misuse.ts";

/** A value of an attribute in DynamoDB: JSON, or bytes. */
export type Value =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | Value[]
  | { [member: string]: Value };

/** DynamoDB's limits, in bytes as it counts them. */
export const itemLimit = 400 * 1024;
export const transactionSizeLimit = 4 * 1024 * 1024;
export const pageLimit = 1024 * 1024;

const depthLimit = 32;

/** The size of an item as DynamoDB counts it. Throws Internal for a value that it cannot hold. */
export function sizeOfItem(item: { [attribute: string]: Value }): number {
  let size = 0;
  for (const [name, value] of Object.entries(item)) size += bytes(name) + sizeOf(value);
  return size;
}

/** The size of a value in bytes. The size of a number follows DynamoDB's own approximation. */
export function sizeOf(value: Value, depth = 0): number {
  if (depth > depthLimit) throw misuse(`a value is nested deeper than ${depthLimit} levels`);
  switch (typeof value) {
    case "string":
      return bytes(value);
    case "number":
      if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return Math.ceil(`${value}`.length / 2) + 1;
      throw misuse(`${value} is not a number that can be stored`);
    case "boolean":
      return 1;
    case "object":
      if (value instanceof Uint8Array) return value.byteLength;
      return value === null ? 1 : sizeOfMembers(value, depth + 1);
    default:
      throw misuse(`a value of type ${typeof value} cannot be stored`);
  }
}

function sizeOfMembers(value: Value[] | { [member: string]: Value }, depth: number): number {
  let size = 3;
  if (Array.isArray(value)) {
    for (const each of value) size += 1 + sizeOf(each, depth);
  } else {
    for (const [name, each] of Object.entries(value)) size += 1 + bytes(name) + sizeOf(each, depth);
  }
  return size;
}

const bytes = (text: string): number => Buffer.byteLength(text);
