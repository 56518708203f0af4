import type { Operation, Shape } from "./constraints.ts";

/** Counts what was held against the models, and keeps what they do not take. */
export class Judgement {
  calls = 0;
  constraints = 0;
  /** Values that AWS makes when it makes the resource. */
  unknown = 0;
  readonly violations: string[] = [];

  /** One more constraint; what it says is kept where it does not hold. */
  holds(condition: boolean, where: string, says: string): void {
    this.constraints += 1;
    if (!condition) this.violations.push(`${where}: ${says}`);
  }
}

const named = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
};

/** Holds what a call is told against its model. `isUnknown` knows the ids that AWS makes. */
export function judge(
  judgement: Judgement,
  call: { operation: Operation; input: unknown; filled: readonly string[]; of: string },
  isUnknown: (value: unknown) => boolean,
): void {
  const { operation, filled, of } = call;
  judgement.calls += 1;
  visit(operation.input, call.input, []);

  function visit(name: string, value: unknown, path: string[]): void {
    const shape = operation.shapes(name);
    const where = `${of} ${operation.name} ${path.join(".")}`;
    if (isUnknown(value)) {
      judgement.unknown += 1;
      return;
    }
    const isKind = hasType(shape.type, value);
    judgement.holds(isKind, where, `${named(value)} is no ${shape.type}`);
    if (!isKind) return;
    if (shape.type === "structure") visitMembers(shape, value as object, path, where);
    else bounded(shape, value, where);
    if (shape.type === "list")
      (value as unknown[]).forEach((each, n) => {
        visit(shape.member, each, [...path, String(n)]);
      });
    if (shape.type === "map")
      for (const [key, each] of Object.entries(value as object)) {
        visit(shape.key, key, [...path, `key ${key}`]);
        visit(shape.value, each, [...path, key]);
      }
  }

  function visitMembers(
    { required = [], members }: Extract<Shape, { type: "structure" }>,
    value: object,
    path: string[],
    where: string,
  ): void {
    const has = new Set(Object.keys(value));
    for (const name of required) {
      const full = [...path, name].filter((part) => !/^\d+$/.test(part)).join(".");
      if (!filled.includes(full)) judgement.holds(has.has(name), where, `lacks ${name}`);
    }
    for (const [name, each] of Object.entries(value)) {
      const member = members[name];
      judgement.holds(member !== undefined, where, `knows no ${name}`);
      if (member !== undefined) visit(member, each, [...path, name]);
    }
  }

  function bounded(shape: Exclude<Shape, { type: "structure" }>, value: unknown, where: string) {
    const size = sizeOf(value);
    const { min, max } = shape;
    if (min !== undefined)
      judgement.holds(size >= min, where, `${named(value)} is below the minimum, ${min}`);
    if (max !== undefined)
      judgement.holds(size <= max, where, `${named(value)} is above the maximum, ${max}`);
    if ("pattern" in shape && shape.pattern !== undefined)
      judgement.holds(
        matches(shape.pattern, String(value)),
        where,
        `${named(value)} does not match ${shape.pattern}`,
      );
    if ("enum" in shape && shape.enum !== undefined)
      judgement.holds(
        shape.enum.includes(String(value)),
        where,
        `${named(value)} is none of ${named(shape.enum.join(", "))}`,
      );
  }
}

function hasType(type: Shape["type"], value: unknown): boolean {
  switch (type) {
    case "structure":
    case "map":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "list":
      return Array.isArray(value);
    case "integer":
    case "long":
      return Number.isInteger(value);
    case "float":
    case "double":
    case "bigdecimal":
      return typeof value === "number" && Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "string":
    case "blob":
    case "timestamp":
      return typeof value === "string";
  }
}

/** Of a number its value, of a text its characters, of a list or map its entries. */
function sizeOf(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "string") return Array.from(value).length;
  return Object.keys(Object(value)).length;
}

/** The whole of a text, as AWS reads its patterns. */
export function matches(pattern: string, text: string): boolean {
  const flags = pattern.includes("\\p{") ? "su" : "s";
  return new RegExp(`^(?:${pattern})$`, flags).test(text);
}
