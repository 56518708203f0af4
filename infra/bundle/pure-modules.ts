import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  type CallExpression,
  type Expression,
  type MemberExpression,
  type Node,
  type ObjectExpression,
  type Pattern,
  type Property,
  parse,
} from "acorn";
import { full } from "acorn-walk";
import { type Plugin, transform } from "esbuild";

/**
 * Our modules only define things, without side effects. A bundler cannot know that of `z.object({ … })`, so a start
 * would create every schema of every loaded module, which takes longer than the rest of the start. This plugin
 * marks each constant as pure, so that a bundle has only the used ones, and creates schemas at first use. It also
 * removes members that a function never runs from sagas' steps and from the API's part of kinds, together with code
 * that only these use.
 */
export const pureModules = (without: readonly string[]): Plugin => ({
  name: "pure-modules",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](core|functions|statemachines)[\\/].*\.ts$/ }, async ({ path }) => {
      const dropped = losesMembers.test(path) ? without : [];
      return {
        contents: await pureModule(path, await readFile(path, "utf8"), dropped),
        loader: "js",
      };
    });
  },
});

/** Modules whose objects lose members: sagas' steps, and the API's part of kinds. */
const losesMembers = /[\\/]statemachines[\\/]|[\\/]core[\\/]resources[\\/][^\\/]+[\\/]api\.ts$/;

/** The transformed modules. Most modules are in most bundles, so each is transformed once. */
const pureTexts = new Map<string, Promise<string>>();

function pureModule(path: string, text: string, without: readonly string[]): Promise<string> {
  const key = JSON.stringify([text, without]);
  const making = pureTexts.get(key) ?? makePure(path, text, without);
  pureTexts.set(key, making);
  return making;
}

async function makePure(path: string, text: string, without: readonly string[]): Promise<string> {
  const { code } = await transform(undescribed(text), { loader: "ts", sourcefile: path });
  return withPureConstants(withoutMembers(code, without).replace(zodImport, lazyZodImport));
}

const zodImport = /^import \* as z from "zod";$/m;
const lazyZodImport = `import { z } from ${JSON.stringify(fileURLToPath(new URL("lazy-zod.ts", import.meta.url)))};`;
const lazySchema = fileURLToPath(new URL("lazy-schema.ts", import.meta.url));

/** The code of a module, with constants that may be dropped and schemas that are created at first use. */
export function withPureConstants(code: string): string {
  const { body } = parse(code, { ecmaVersion: "latest", sourceType: "module" });
  const constants = body.flatMap((statement) => {
    const { type } = statement;
    const declared = type === "ExportNamedDeclaration" ? statement.declaration : statement;
    const isConstant = declared?.type === "VariableDeclaration" && declared.kind === "const";
    return isConstant ? declared.declarations : [];
  });
  let text = code;
  let hasSchemas = false;
  for (const { id, init } of constants.toReversed()) {
    if (!init || !isMade(init)) continue;
    const made = `() => (${code.slice(init.start, init.end)})`;
    const isLazy = isOfSchemas(init) || isNamedSchema(id, init);
    hasSchemas ||= isLazy;
    const pure = `/* @__PURE__ */ ${isLazy ? `slipwayLazySchema(${made})` : `(${made})()`}`;
    text = text.slice(0, init.start) + pure + text.slice(init.end);
  }
  return hasSchemas
    ? `import { lazySchema as slipwayLazySchema } from ${JSON.stringify(lazySchema)};\n${text}`
    : text;
}

/** The code of a module without the members of these names. */
export function withoutMembers(code: string, names: readonly string[]): string {
  if (names.length === 0) return code;
  const members: Property[] = [];
  full(parse(code, { ecmaVersion: "latest", sourceType: "module" }), (node) => {
    if (node.type !== "ObjectExpression") return;
    for (const member of (node as ObjectExpression).properties)
      if (member.type === "Property" && isNamed(member, names)) members.push(member);
  });
  const isWithin = (one: Property, other: Property) =>
    one !== other && other.start <= one.start && one.end <= other.end;
  return members
    .filter((one) => !members.some((other) => isWithin(one, other)))
    .sort((a, b) => b.start - a.start)
    .reduce(
      (text, { start, end }) => `${text.slice(0, start)}...undefined${text.slice(end)}`,
      code,
    );
}

const isNamed = ({ key, computed }: Property, names: readonly string[]): boolean =>
  !computed && key.type === "Identifier" && names.includes(key.name);

/**
 * Whether a constant needs a mark. Functions and plain values have no side effects anyway, and code with a
 * top-level await cannot move into a function.
 */
const isMade = ({ type }: Node): boolean =>
  !["ArrowFunctionExpression", "FunctionExpression", "Literal", "AwaitExpression"].includes(type);

/** Whether the expression creates a schema or an object of schemas, so that it can be created at first use. */
const isOfSchemas = (made: Node): boolean => {
  const { type, properties = [] } = made as Expression & Partial<ObjectExpression>;
  if (type !== "ObjectExpression") return makesSchema(made);
  return properties.some((each) => each.type === "Property" && makesSchema(each.value));
};

/** Whether a call creates a schema: a call of zod, or of a value named like a schema, unless it parses. */
function makesSchema(made: Node): boolean {
  const { type, callee } = made as Partial<CallExpression> & Node;
  if (type !== "CallExpression" || !callee) return false;
  const root = rootOf(made);
  if (root !== "z" && !/Schema$/.test(root ?? "")) return false;
  // The results of parsing, and a schema's own lists, are no schemas.
  return !namesIn(made).some((name) => /^((safe)?parse|options|entries|enum)/i.test(name));
}

const isNamedSchema = (id: Pattern, made: Node): boolean =>
  (made.type === "CallExpression" || made.type === "MemberExpression") &&
  id.type === "Identifier" &&
  /Schema$/.test(id.name);

/** The member names in a chain of calls and members. */
function namesIn(made: Node): string[] {
  const { callee } = made as Partial<CallExpression>;
  if (callee) return namesIn(callee);
  const { object, property } = made as Partial<MemberExpression>;
  if (!object || property?.type !== "Identifier") return [];
  return [...namesIn(object), property.name];
}

/** The name at the start of a chain of calls and members. */
function rootOf(expression: Node): string | undefined {
  let node = expression as Expression | { type: "Super" };
  for (;;) {
    if (node.type === "CallExpression") node = node.callee;
    else if (node.type === "MemberExpression") node = node.object;
    else return node.type === "Identifier" ? node.name : undefined;
  }
}

/**
 * Drops the descriptions of members, which only the OpenAPI document needs; `describe` only adds the
 * text to a copy.
 */
const undescribed = (text: string): string =>
  text.replaceAll(/\s*\.describe\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'),?\s*\)/g, "");
