import type { ASTNode } from "@marcbachmann/cel-js";
import type * as z from "zod";
import { AppError } from "../../../core/error.ts";
import { isObject, type Json, schemaShapeOf } from "../../../core/kernel/input/shape.ts";
import { absence, isBoolean, type MemberAbsence, memberIn } from "./members.ts";
import {
  and,
  arithmetic,
  asTruth,
  equal,
  type FilterValue,
  less,
  not,
  or,
  type Truth,
} from "./value.ts";

/**
 * The names that a filter may use: objects, each with the schema of its members (without one, any
 * member is allowed), and constants.
 */
export interface Names {
  roots: Record<string, z.core.$ZodType | undefined>;
  constants?: Record<string, Json>;
}
export type Values = Record<string, Json>;

interface Expression {
  type: "bool" | "other" | "any";
  /** The dotted path of a member of a root. */
  path?: string;
  schema?: z.core.$ZodType | undefined;
  /** The names of an enum's values, by number. */
  names?: string[];
  /** The value of a literal. */
  literal?: Json;
  absent?: MemberAbsence;
  value(values: Values): FilterValue;
}

/** Compiles an expression to closures; collects the paths that it reads. */
export class Compiler {
  readonly paths = new Set<string>();
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  compile(node: ASTNode): Expression {
    switch (node.op) {
      case "value":
        return literal(node);
      case "id":
        return this.#name(node.args, node);
      case ".":
        return this.#member(this.compile(node.args[0]), node.args[1], node);
      case "[]": {
        const key = this.compile(node.args[1]).literal;
        if (typeof key === "number") return this.#item(this.compile(node.args[0]), key, node);
        if (typeof key !== "string")
          throw at(node, "an index must be a literal string, or a literal number of a list");
        return this.#member(this.compile(node.args[0]), key, node);
      }
      case "&&":
      case "||": {
        const [a, b] = [this.#truth(node.args[0]), this.#truth(node.args[1])];
        const join = node.op === "&&" ? and : or;
        return bool((values) => join(a(values), () => b(values)));
      }
      case "!_": {
        const inner = this.#truth(node.args);
        return bool((values) => not(inner(values)));
      }
      case "-_": {
        const inner = this.compile(node.args);
        return other((values) => arithmetic("-", 0, inner.value(values)));
      }
      case "==":
      case "!=":
      case "<":
      case "<=":
      case ">":
      case ">=":
        return this.#comparison(node.op, this.compile(node.args[0]), this.compile(node.args[1]));
      case "in":
        return this.#membership(node.args[0], node.args[1]);
      case "+":
      case "-":
      case "*":
      case "/":
      case "%": {
        const [a, b] = [this.compile(node.args[0]), this.compile(node.args[1])];
        const { op } = node;
        return other((values) => arithmetic(op, a.value(values), b.value(values)));
      }
      case "call":
        return this.#has(node.args[0], node.args[1], node);
      case "rcall":
        return this.#textMethod(node.args[0], node.args[1], node.args[2], node);
      default:
        throw at(node, `'${node.op}' is not supported`);
    }
  }

  #truth(node: ASTNode): (values: Values) => Truth {
    const { type, value } = this.compile(node);
    if (type === "other") throw at(node, "must be boolean");
    return (values) => {
      const truth = value(values);
      return typeof truth === "boolean" ? truth : undefined;
    };
  }

  #name(name: string, node: ASTNode): Expression {
    const { roots, constants = {} } = this.#names;
    if (Object.hasOwn(roots, name)) {
      return { type: "any", path: name, schema: roots[name], value: (values) => values[name] };
    }
    if (Object.hasOwn(constants, name)) {
      const constant = constants[name];
      return {
        type: "other",
        ...(constant === undefined ? {} : { literal: constant }),
        value: () => constant,
      };
    }
    if (name === "now") return other((values) => values.now);
    throw at(node, `undeclared reference to '${name}'`);
  }

  #member(parent: Expression, name: string, node: ASTNode): Expression {
    const schema = parent.schema && memberIn(parent.schema, name);
    if (parent.schema && !schema) throw at(node, `undefined field '${name}'`);
    const shape = schema && schemaShapeOf(schema);
    const path = `${parent.path ?? ""}.${name}`;
    this.paths.add(path);
    return {
      type: schema === undefined || isBoolean(schema) ? "any" : "other",
      path,
      schema,
      ...(shape?.is === "enum" ? { names: shape.names } : {}),
      ...absence(parent.schema, path, shape),
      value: (values) => {
        const object = parent.value(values);
        return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
      },
    };
  }

  /** An item of a list; absent beyond the list's end. */
  #item(parent: Expression, position: number, node: ASTNode): Expression {
    const shape = parent.schema && schemaShapeOf(parent.schema);
    if (shape !== undefined && shape.is !== "list")
      throw at(node, "only a list has numbered items");
    const schema = shape?.item;
    return {
      type: schema === undefined || isBoolean(schema) ? "any" : "other",
      path: `${parent.path ?? ""}[${position}]`,
      schema,
      value: (values) => {
        const list = parent.value(values);
        return Array.isArray(list) ? list[position] : undefined;
      },
    };
  }

  #comparison(op: "==" | "!=" | "<" | "<=" | ">" | ">=", a: Expression, b: Expression): Expression {
    if (a.literal === null || b.literal === null) {
      const side = a.literal === null ? b : a;
      if (op !== "==" && op !== "!=") throw refused("null can only be compared with == and !=");
      return bool((values) => (side.value(values) === undefined) === (op === "=="));
    }
    const [left, right] = [present(numbered(a, b), a), present(numbered(b, a), b)];
    const isUnlike = a.absent === "unlike" || b.absent === "unlike";
    return bool((values) => {
      const [x, y] = [left(values), right(values)];
      if (isUnlike && (x === undefined || y === undefined) && (op === "==" || op === "!="))
        return op === "!=";
      switch (op) {
        case "==":
          return equal(x, y);
        case "!=":
          return not(equal(x, y));
        case "<":
          return less(x, y);
        case ">":
          return less(y, x);
        case "<=":
          return not(less(y, x));
        case ">=":
          return not(less(x, y));
      }
    });
  }

  #membership(element: ASTNode, container: ASTNode): Expression {
    const left = this.compile(element);
    if (container.op === "list") {
      const tests = container.args.map((item) => this.#comparison("==", left, this.compile(item)));
      return bool((values) =>
        tests.reduce<Truth>((truth, test) => or(truth, () => asTruth(test.value(values))), false),
      );
    }
    const right = this.compile(container);
    return bool((values) => {
      const [item, whole] = [left.value(values), right.value(values)];
      if (Array.isArray(whole)) return whole.some((each) => equal(each, item) === true);
      if (whole === undefined || isObject(whole))
        return typeof item === "string" && Object.hasOwn(whole ?? {}, item);
      return undefined;
    });
  }

  #has(name: string, args: ASTNode[], node: ASTNode): Expression {
    const [subject] = args;
    if (name !== "has" || args.length !== 1 || subject?.op !== ".")
      throw at(node, `'${name}' is not supported here`);
    const member = this.compile(subject);
    return bool((values) => {
      const value = member.value(values);
      return value !== undefined && value !== "";
    });
  }

  #textMethod(name: string, receiver: ASTNode, args: ASTNode[], node: ASTNode): Expression {
    const [text] = args.map((arg) => this.compile(arg).literal);
    const method = textMethods[name];
    if (!method || !Object.hasOwn(textMethods, name)) throw at(node, `'${name}' is not supported`);
    if (args.length !== 1 || typeof text !== "string")
      throw at(node, `'${name}' takes one literal string`);
    const compiled = this.compile(receiver);
    const subject = present(compiled.value, compiled);
    return bool((values) => {
      const value = subject(values);
      return typeof value === "string" ? method(value, text) : undefined;
    });
  }
}

const textMethods: Record<string, (value: string, text: string) => boolean> = {
  startsWith: (value, text) => value.startsWith(text),
  endsWith: (value, text) => value.endsWith(text),
  contains: (value, text) => value.includes(text),
};

const bool = (value: (values: Values) => Truth): Expression => ({ type: "bool", value });
const other = (value: (values: Values) => FilterValue): Expression => ({ type: "other", value });

function literal(node: Extract<ASTNode, { op: "value" }>): Expression {
  const value = typeof node.args === "bigint" ? Number(node.args) : node.args;
  if (value !== null && typeof value === "object")
    throw at(node, "bytes and unsigned numbers are not supported");
  return {
    type: typeof value === "boolean" ? "bool" : "other",
    literal: value,
    value: () => value,
  };
}

function present(value: Expression["value"], { absent }: Expression): Expression["value"] {
  return absent === "empty" ? (values) => value(values) ?? "" : value;
}

/** A side of a comparison with an enum. Enums compare with OSAC's numbers and with their names. */
function numbered(side: Expression, against: Expression): (values: Values) => FilterValue {
  const { names } = side;
  if (!names || typeof against.literal !== "number") return side.value;
  return (values) => {
    const value = side.value(values);
    return typeof value === "string" ? names.indexOf(value) + 1 : undefined;
  };
}

function at(node: ASTNode, message: string): AppError {
  return refused(`ERROR: <input>:1:${node.pos + 1}: ${message}`);
}

export function refused(message: string): AppError {
  return new AppError("Invalid", `filter ${message}`, {
    violations: [{ field: "filter", message }],
  });
}
