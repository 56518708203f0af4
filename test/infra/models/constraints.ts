import { readFileSync } from "node:fs";

/** What AWS's own service models say of the calls that make a stack; `extract.py` writes it. */

interface Limits {
  min?: number;
  max?: number;
}
interface Scalar extends Limits {
  type:
    | "string"
    | "integer"
    | "long"
    | "float"
    | "double"
    | "boolean"
    | "blob"
    | "timestamp"
    | "bigdecimal";
  pattern?: string;
  enum?: string[];
}
interface Structure {
  type: "structure";
  required?: string[];
  members: Record<string, string>;
}
interface List extends Limits {
  type: "list";
  member: string;
}
interface Dictionary extends Limits {
  type: "map";
  key: string;
  value: string;
}
export type Shape = Scalar | Structure | List | Dictionary;

interface Constraints {
  services: Record<
    string,
    { operations: Record<string, string>; shapes: Record<string, Shape | undefined> }
  >;
  /** By the prefix of actions: the operations, with spaces between. */
  actions: Record<string, string>;
}

const file = new URL("generated/constraints.json", import.meta.url);
const { services, actions } = JSON.parse(readFileSync(file, "utf8")) as Constraints;

/** Shapes of one service, by name; a type of which nothing else is said has no entry. */
export type Shapes = (name: string) => Shape;

export interface Operation {
  /** Such as `dynamodb:CreateTable`. */
  name: string;
  input: string;
  shapes: Shapes;
}

export function operationOf(name: string): Operation {
  const [prefix = "", operation = ""] = name.split(":");
  const service = services[prefix];
  const input = service?.operations[operation];
  if (!service || !input) throw new Error(`${name} is not in constraints.json: extract it`);
  return {
    name,
    input,
    shapes: (shape) => service.shapes[shape] ?? { type: shape as Scalar["type"] },
  };
}

/** Names of a service's operations by the prefix that policies know it by. */
export const operationsOf = (prefix: string): string[] | undefined => actions[prefix]?.split(" ");
