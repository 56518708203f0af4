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
}

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
    pinned: pinnedIn(ast),
  };
}

/** The comparisons `path == "text"` of an expression that joins them by && only. */
function pinnedIn(node: ASTNode): Map<string, string> {
  if (node.op === "&&") return new Map([...pinnedIn(node.args[0]), ...pinnedIn(node.args[1])]);
  if (node.op !== "==") return new Map();
  const [a, b] = node.args;
  const [path, text] =
    a.op === "value" ? [pathOf(b), a.args] : [pathOf(a), b.op === "value" ? b.args : undefined];
  return path !== undefined && typeof text === "string" ? new Map([[path, text]]) : new Map();
}

function pathOf(node: ASTNode): string | undefined {
  if (node.op === "id") return node.args;
  if (node.op !== ".") return undefined;
  const parent = pathOf(node.args[0]);
  return parent === undefined ? undefined : `${parent}.${node.args[1]}`;
}
