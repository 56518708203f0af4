import type { KubeObject, PrintColumn, ResourceKind } from "./object.ts";
import { isObject, type JsonObject } from "./paths.ts";

/** The meta.k8s.io/v1 Table that `kubectl get` prints. `now` is in milliseconds since the epoch. */
export function table(
  kind: ResourceKind,
  objects: KubeObject[],
  metadata: object,
  includeObject: string | null,
  now: number,
): object {
  const columns = columnsOf(kind);
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: columns.map(({ name, type, priority = 0 }) => ({
      name,
      type: type === "date" ? "string" : type,
      format: name === "Name" ? "name" : "",
      description: "",
      priority,
    })),
    rows: objects.map((object) => ({
      cells: columns.map((column) => cell(column, object, now)),
      ...rowObject(object, includeObject),
    })),
  };
}

/** The object's metadata only, for tables and for clients that request it. */
export function partialMetadata(object: KubeObject): object {
  const { metadata } = object;
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
}

const nameColumn: PrintColumn = { name: "Name", type: "string", path: ".metadata.name" };
export const ageColumn: PrintColumn = {
  name: "Age",
  type: "date",
  path: ".metadata.creationTimestamp",
};

function columnsOf(kind: ResourceKind): PrintColumn[] {
  return [nameColumn, ...(kind.printColumns ?? [ageColumn])];
}

function rowObject(object: KubeObject, include: string | null): object {
  if (include === "None") return {};
  return { object: include === "Object" ? object : partialMetadata(object) };
}

function cell(column: PrintColumn, object: KubeObject, now: number): unknown {
  if (column.show) return column.show(object);
  const [value] = jsonPath(object, column.path);
  if (column.type === "date") {
    return typeof value === "string" ? age(now - Date.parse(value)) : "<unknown>";
  }
  // kubectl prints a null cell of a custom kind as empty.
  if (value === undefined) return null;
  return typeof value === "object" ? JSON.stringify(value) : value;
}

/** The values of a print column's JSONPath: `.a.b`, `.a\.b`, `["a.b"]`, `[0]`, `[*]`, `[?(@.type=="Ready")]`. */
export function jsonPath(root: unknown, path: string): unknown[] {
  const step =
    /\.((?:\\.|[^.[\\])+)|\[(\d+)\]|\[(\*)\]|\[(?:'([^']*)'|"([^"]*)")\]|\[\?\(@\.(\w+)\s*==\s*(?:"([^"]*)"|'([^']*)')\)\]/gy;
  let values: unknown[] = [root];
  for (const match of path.matchAll(step)) {
    const [, member, index, star, single, double, key, quoted, other] = match;
    const name = member?.replaceAll(/\\(.)/g, "$1") ?? single ?? double;
    values = values.flatMap((value): unknown[] => {
      if (name !== undefined) return isObject(value) ? defined(value, name) : [];
      const items = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
      if (star !== undefined) return items;
      if (index !== undefined) return items.slice(Number(index), Number(index) + 1);
      return items.filter((item) => isObject(item) && item[key ?? ""] === (quoted ?? other));
    });
  }
  return values;
}

function defined(value: JsonObject, name: string): unknown[] {
  return Object.hasOwn(value, name) ? [value[name]] : [];
}

/** A duration in milliseconds in the form of apimachinery's duration.HumanDuration. */
export function age(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 120) return `${Math.max(0, seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return two(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return two(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return two(days, "d", hours % 24, "h");
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? two(years, "y", days % 365, "d") : `${years}y`;
}

function two(a: number, unit: string, b: number, lesser: string): string {
  return b === 0 ? `${a}${unit}` : `${a}${unit}${b}${lesser}`;
}
