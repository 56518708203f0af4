import { type ASTNode, Environment, ParseError } from "@marcbachmann/cel-js";
import { Compiler, type Names, refused, type Values } from "./compiler.ts";
import { type Required, requiredBy } from "./required.ts";

/**
 * OSAC's subset of CEL (docs/reference/osac-rest.md §1), parsed by cel-js and compiled to closures that
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

export interface Filter extends Required {
  matches(values: Values): boolean;
  /** The dotted paths that the filter reads, such as `this.spec.state`. */
  paths: Set<string>;
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
    ...requiredBy(ast),
  };
}
