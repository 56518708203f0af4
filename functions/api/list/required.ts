import type { ASTNode } from "@marcbachmann/cel-js";

/** What a filter requires of every object, so that an index can narrow the objects. */
export interface Required {
  /**
   * Lists of alternative tests. An object that matches the filter passes at least one test of each
   * list.
   */
  required: Test[][];
  /** Whether these tests are the whole filter. */
  isAllRequired: boolean;
}

/** A test of a path: it equals a text, begins with a prefix or, without either, has a text that is not empty. */
export interface Test {
  path: string;
  text?: string;
  prefix?: string;
}

/** The text that a path must equal in every match. */
export const pinned = (filter: Required | undefined, path: string): string | undefined =>
  filter?.required.findLast(([test, ...more]) => test?.path === path && more.length === 0)?.[0]
    ?.text;

const nothingRequired: Required = { required: [], isAllRequired: false };

/**
 * Removes repeated tests: the results of alternative tests are added up, so a repeated test would
 * count its objects twice.
 */
function anyOf(tests: Test[]): Required {
  const isSame = (a: Test, b: Test) =>
    a.path === b.path && a.text === b.text && a.prefix === b.prefix;
  const distinct = tests.filter(
    (test, place) => tests.findIndex((each) => isSame(each, test)) === place,
  );
  return { required: [distinct], isAllRequired: true };
}

/**
 * The tests that an expression requires. Only combinations of comparisons of paths with texts are
 * recognized.
 */
export function requiredBy(node: ASTNode): Required {
  switch (node.op) {
    case "&&": {
      const [a, b] = [requiredBy(node.args[0]), requiredBy(node.args[1])];
      return {
        required: [...a.required, ...b.required],
        isAllRequired: a.isAllRequired && b.isAllRequired,
      };
    }
    case "||": {
      const sides = [requiredBy(node.args[0]), requiredBy(node.args[1])];
      const isEachOne = sides.every((side) => side.isAllRequired && side.required.length === 1);
      return isEachOne ? anyOf(sides.flatMap(({ required }) => required.flat())) : nothingRequired;
    }
    case "==":
      return (
        equals(node.args[0], [node.args[1]]) ??
        equals(node.args[1], [node.args[0]]) ??
        nothingRequired
      );
    case "in":
      return isIn(node.args[0], node.args[1]) ?? nothingRequired;
    case "call": {
      const [name, [subject]] = node.args;
      const path = name === "has" && subject && pathOf(subject);
      return path ? anyOf([{ path }]) : nothingRequired;
    }
    case "rcall": {
      const [name, subject, [argument]] = node.args;
      const path = name === "startsWith" && pathOf(subject);
      const prefix = argument && textOf(argument);
      return path && prefix ? anyOf([{ path, prefix }]) : nothingRequired;
    }
    default:
      return nothingRequired;
  }
}

/** The requirement that a path equals one of several texts. */
function equals(subject: ASTNode, values: ASTNode[]): Required | undefined {
  const path = pathOf(subject);
  const texts = values.map(textOf);
  if (path === undefined || !texts.every((text) => text !== undefined)) return undefined;
  return anyOf(texts.map((text) => ({ path, text })));
}

/** `path in ["a", "b"]`; or `"key" in path`, where the key may have any text, also an empty one. */
function isIn(element: ASTNode, container: ASTNode): Required | undefined {
  if (container.op === "list") return equals(element, container.args);
  const [map, key] = [pathOf(container), textOf(element)];
  if (map === undefined || key === undefined) return undefined;
  const path = `${map}.${key}`;
  return anyOf([{ path }, { path, text: "" }]);
}

/** The dotted path of a member, as the compiler names it; `labels["team"]` is `labels.team`. */
function pathOf(node: ASTNode): string | undefined {
  if (node.op === "id") return node.args;
  if (node.op !== "." && node.op !== "[]") return undefined;
  const parent = pathOf(node.args[0]);
  const name = node.op === "." ? node.args[1] : textOf(node.args[1]);
  return parent === undefined || name === undefined ? undefined : `${parent}.${name}`;
}

const textOf = (node: ASTNode): string | undefined =>
  node.op === "value" && typeof node.args === "string" ? node.args : undefined;

/**
 * The texts, one of which the path must equal; undefined if the tests include other comparisons.
 */
export function textsOf(tests: Test[], path: string): string[] | undefined {
  const texts = tests.flatMap((test) =>
    test.path === path && test.text !== undefined && test.prefix === undefined ? [test.text] : [],
  );
  return texts.length === tests.length && texts.length > 0 ? texts : undefined;
}
