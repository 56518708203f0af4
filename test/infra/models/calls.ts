import type { Inputs, Resource } from "../../support/pulumi-mocks.ts";
import { type Operation, operationOf, type Shape } from "./constraints.ts";

/** A piece of a call's input, made of one argument and those beside it. */
type Made = (value: never, beside: never) => Inputs;

/** How Pulumi's arguments of one type of resource become calls. */
export interface Row {
  /** What is called to make it. Those after the first only where something is told them alone. */
  calls: readonly [string, ...string[]];
  /**
   * By the argument's path: the member's path where it has another name or place, or how the
   * member is made. Arguments whose names differ in case or number only need none.
   */
  members?: Record<string, string | Made>;
  /** Arguments that no call is told, and why. */
  leftOut?: Record<string, string>;
  /** Required members that Pulumi's provider fills in. */
  filled?: readonly string[];
  /** Arguments that are lists whose entries are calls of their own. */
  each?: Record<string, Row>;
}

export interface Call {
  operation: Operation;
  input: Inputs;
  filled: readonly string[];
  of: string;
}

/** What is called to make a resource, and the arguments that no call knows. */
export function callsOf({ type, name, inputs }: Resource, row: Row): [Call[], string[]] {
  const of = `${type} ${name}`;
  const { members = {}, leftOut = {}, filled = [], each = {} } = row;
  const unknown: string[] = [];
  const parts = Object.entries(each).flatMap(([argument, part]) =>
    entriesOf(inputs[argument]).map((entry, n) =>
      callsOf({ type, name: `${name} ${argument}.${n}`, inputs: entry }, part),
    ),
  );
  const takers = new Map<string, number>();
  const calls = row.calls.map((operation, n): Call & { alone: boolean } => {
    const translated = new Translation(operationOf(operation), members, leftOut);
    const told = Object.entries(inputs).filter(
      ([argument, value]) =>
        value !== undefined && !(argument in each) && translated.takes(argument, inputs),
    );
    for (const [argument] of told) takers.set(argument, takers.get(argument) ?? n);
    unknown.push(...translated.unknown.map((path) => `${of} ${operation}: no member for ${path}`));
    const { operation: known, input } = translated;
    return {
      operation: known,
      input,
      filled,
      of,
      alone: told.some(([argument]) => takers.get(argument) === n),
    };
  });
  const lost = Object.keys(inputs).filter(
    (argument) =>
      inputs[argument] !== undefined &&
      !takers.has(argument) &&
      !(argument in leftOut) &&
      !(argument in each),
  );
  unknown.push(...lost.map((argument) => `${of}: no member for ${argument}`));
  return [
    [...calls.filter(({ alone }, n) => n === 0 || alone), ...parts.flatMap(([made]) => made)],
    [...unknown, ...parts.flatMap(([, lost]) => lost)],
  ];
}

/** An entry that is a text stands as the argument `entry`. */
const entriesOf = (value: unknown): Inputs[] =>
  Array.isArray(value) ? value.map((entry) => (isObject(entry) ? entry : { entry })) : [];

/** Names that are the same but for case, punctuation and number. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .replace(/s$/, "");

class Translation {
  readonly operation: Operation;
  readonly input: Inputs = {};
  readonly unknown: string[] = [];
  readonly #members: Record<string, string | Made>;
  readonly #leftOut: Record<string, string>;

  constructor(operation: Operation, members: Record<string, string | Made>, leftOut: object) {
    this.operation = operation;
    this.#members = members;
    this.#leftOut = { ...leftOut };
  }

  /** Puts an argument where the call has it; says whether the call has it at all. */
  takes(argument: string, inputs: Inputs): boolean {
    return this.#put(this.input, this.operation.input, argument, inputs, argument);
  }

  #put(into: Inputs, shape: string, argument: string, beside: Inputs, path: string): boolean {
    const value = beside[argument];
    const members = this.#membersOf(shape);
    const rule = this.#members[path];
    if (typeof rule === "function") {
      const made = rule(value as never, beside as never);
      if (!Object.keys(made).every((name) => name in members)) return false;
      merge(into, made);
      return true;
    }
    const found = rule?.split(".") ?? plainly(argument, members);
    const [first] = found;
    if (first === undefined || !(first in members)) return false;
    this.#place(into, shape, found, value, path);
    return true;
  }

  /** Walks a path of members; of a list it takes the first entry. */
  #place(into: Inputs, name: string, members: string[], value: unknown, path: string): void {
    const [first = "", ...rest] = members;
    const shape = this.#shapeOf(name);
    const next =
      shape.type === "structure" ? shape.members[first] : shape.type === "map" && shape.value;
    if (!next) {
      this.unknown.push(path);
      return;
    }
    if (rest.length === 0) {
      const text = shape.type === "map" && typeof value !== "object";
      merge(into, { [first]: text ? String(value) : this.#translate(next, value, path) });
      return;
    }
    const inner: Inputs = {};
    const within = this.#shapeOf(next);
    if (within.type === "list") {
      this.#place(inner, within.member, rest, value, path);
      merge(into, { [first]: [inner] });
    } else {
      this.#place(inner, next, rest, value, path);
      merge(into, { [first]: inner });
    }
  }

  #translate(name: string, value: unknown, path: string): unknown {
    const shape = this.#shapeOf(name);
    if (shape.type === "list" && Array.isArray(value))
      return value.map((each) => this.#translate(shape.member, each, path));
    // A block of which Pulumi knows one.
    if (shape.type === "list" && isObject(value))
      return [this.#translate(shape.member, value, path)];
    // A list of CloudFront's, which is counted.
    if (shape.type === "structure" && shape.members.Items !== undefined && Array.isArray(value))
      return {
        Quantity: value.length,
        Items: this.#translate(shape.members.Items, value, path),
      };
    if (shape.type !== "structure" || typeof value !== "object" || value === null) return value;
    const into: Inputs = {};
    const beside = value as Inputs;
    for (const argument of Object.keys(beside)) {
      const inner = `${path}.${argument}`;
      if (beside[argument] === undefined || inner in this.#leftOut) continue;
      if (!this.#put(into, name, argument, beside, inner)) this.unknown.push(inner);
    }
    return into;
  }

  #shapeOf(name: string): Shape {
    return this.operation.shapes(name);
  }

  #membersOf(name: string): Record<string, string> {
    const shape = this.#shapeOf(name);
    return shape.type === "structure" ? shape.members : {};
  }
}

function plainly(argument: string, members: Record<string, string>): string[] {
  const name = Object.keys(members).find((member) => plain(member) === plain(argument));
  return name === undefined ? [] : [name];
}

/** Adds what is not there yet, into structures and into the entries of lists of the same place. */
function merge(into: Inputs, from: Inputs): void {
  for (const [name, value] of Object.entries(from)) into[name] = merged(into[name], value);
}

function merged(old: unknown, value: unknown): unknown {
  if (Array.isArray(old) && Array.isArray(value)) {
    const longer = Math.max(old.length, value.length);
    return Array.from({ length: longer }, (_, n) => merged(old[n], value[n]));
  }
  if (!isObject(old) || !isObject(value)) return value === undefined ? old : value;
  const both = { ...old };
  merge(both, value);
  return both;
}

const isObject = (value: unknown): value is Inputs =>
  typeof value === "object" && value !== null && !Array.isArray(value);
