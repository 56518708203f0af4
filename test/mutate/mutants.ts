import { stripTypeScriptTypes } from "node:module";
import { type AnyNode, parse } from "acorn";
import { simple } from "acorn-walk";

/** Small changes of a source file, each of which a test should notice. Pure. */

export interface Mutant {
  /** From 1. */
  line: number;
  before: string;
  after: string;
  /** The whole file with the change in it. */
  source: string;
}

const turned: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
};

/** By the name of a method: what it is called in its place; the empty text for one that is left out. */
const methods: ReadonlyMap<string, string> = new Map(
  Object.entries({
    some: "every",
    every: "some",
    filter: "",
    slice: "",
    toSorted: "",
    toReversed: "",
    min: "max",
    max: "min",
    find: "findLast",
    findLast: "find",
    startsWith: "endsWith",
    at: "",
  }),
);

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Every mutant of a file of TypeScript whose types can be stripped, in the order of the file. */
export function mutantsOf(source: string): Mutant[] {
  // Types become blanks, so that places stay what they are.
  const code = stripTypeScriptTypes(source);
  if (code.length !== source.length) throw new Error("the types of the file cannot be blanked");
  const edits: Edit[] = [];
  const replace = ({ start, end }: { start: number; end: number }, text: string): void =>
    void edits.push({ start, end, text });
  const textOf = ({ start, end }: AnyNode): string => code.slice(start, end);
  const decides = (test: AnyNode): void => {
    replace(test, "true");
    replace(test, "false");
  };
  simple(parse(code, { ecmaVersion: "latest", sourceType: "module" }), {
    IfStatement: ({ test }) => decides(test),
    ConditionalExpression: ({ test }) => decides(test),
    BinaryExpression({ left, operator, right }) {
      const other = turned[operator];
      if (other !== undefined)
        replace({ start: left.start, end: right.end }, `${textOf(left)} ${other} ${textOf(right)}`);
    },
    LogicalExpression({ left, operator, right, start, end }) {
      const other = turned[operator];
      const whole = { start, end };
      if (other === undefined) return replace(whole, textOf(left));
      // Without parentheses `??` and `||` cannot stand side by side.
      replace(whole, `((${textOf(left)}) ${other} (${textOf(right)}))`);
    },
    UnaryExpression({ operator, argument, start, end }) {
      if (operator === "!") replace({ start, end }, textOf(argument));
    },
    Literal(node) {
      if (typeof node.value === "boolean") replace(node, String(!node.value));
    },
    ExpressionStatement(node) {
      replace(node, ";");
    },
    ThrowStatement(node) {
      replace(node, ";");
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      const other = methods.get(callee.property.name);
      if (other === undefined) return;
      if (other === "") replace(node, textOf(callee.object));
      else replace(callee.property, other);
    },
    ObjectExpression({ properties }) {
      for (const each of properties) if (each.type === "SpreadElement") replace(each, "...{}");
    },
    ArrayExpression({ elements }) {
      for (const each of elements) if (each?.type === "SpreadElement") replace(each, "...[]");
    },
  });
  return edits
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end, text }) => ({
      line: source.slice(0, start).split("\n").length,
      before: source.slice(start, end).replaceAll(/\s+/g, " "),
      after: text.replaceAll(/\s+/g, " "),
      source: source.slice(0, start) + text + source.slice(end),
    }));
}
