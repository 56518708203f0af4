import { type ASTNode, Environment, ParseError } from "@marcbachmann/cel-js";
import { Compiler, type Names, refused, type Values } from "./compiler.ts";

/**
 * OSAC's subset of CEL (docs/reference/osac-rest.md §2), parsed by cel-js and compiled to closures that
 * only read their values.
 */

const textLimit = 4096;
const parser = new Environment({
  unlistedVariablesAreDyn: true,
  limits: {
    maxAstNodes: 500,
    maxDepth: 50,
    maxListElements: 200,
    maxMapEntries: 0,
    maxCallArguments: 4,
  },
});

export interface Filter {
  matches(values: Values): boolean;
  /** The dotted paths that the filter reads, such as `this.spec.state`. */
  paths: Set<string>;
  /** Paths that must equal a text for anything to match. */
  pinned: Map<string, string>;
  /** The comparison that is the whole filter, if it is one of a path with a text. */
  only?: Pin | undefined;
}

/** A comparison `path == "text"`. */
export type Pin = [path: string, text: string];

/** Compiles a filter. Throws Invalid with the compiler's message. */
export function compileFilter(text: string, names: Names): Filter {
  if (text.length > textLimit) throw refused(`is longer than ${textLimit} characters`);
  let ast: ASTNode;
  try {
    ast = parser.parse(text).ast;
  } catch (error) {
    if (error instanceof ParseError) throw refused(error.message);
    throw error;
  }
  const compiler = new Compiler(names);
  const expression = compiler.compile(ast);
  if (expression.type !== "bool" && expression.type !== "any")
    throw refused("must be a boolean expression");
  return {
    matches: (values) => expression.value(values) === true,
    paths: compiler.paths,
    pinned: new Map(pinsIn(ast)),
    only: pinOf(ast),
  };
}

/** The comparisons of paths with texts in an expression that joins them by && only. */
function pinsIn(node: ASTNode): Pin[] {
  if (node.op === "&&") return [...pinsIn(node.args[0]), ...pinsIn(node.args[1])];
  const pin = pinOf(node);
  return pin ? [pin] : [];
}

function pinOf(node: ASTNode): Pin | undefined {
  if (node.op !== "==") return undefined;
  const [a, b] = node.args;
  const [path, text] = textOf(a) === undefined ? [pathOf(a), textOf(b)] : [pathOf(b), textOf(a)];
  return path === undefined || text === undefined ? undefined : [path, text];
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
