import { readFile } from "node:fs/promises";
import { type Node, parse, type VariableDeclarator } from "acorn";
import { type Plugin, transform } from "esbuild";

/**
 * Our modules only define things: loading one has no effect on anything else. A bundler cannot know
 * that of `z.object({ … })`, so it keeps every schema of every module that it meets. This plugin says
 * of each constant that making it has no effect, so that a bundle carries those that it uses.
 */
export const pureModules: Plugin = {
  name: "pure-modules",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](core|functions|statemachines)[\\/].*\.ts$/ }, async ({ path }) => {
      const { code } = await transform(undescribed(await readFile(path, "utf8")), {
        loader: "ts",
        sourcefile: path,
      });
      return { contents: withPureConstants(code), loader: "js" };
    });
  },
};

/** The text of a module with each constant that is made by a call in a function that may be left out. */
export function withPureConstants(code: string): string {
  const { body } = parse(code, { ecmaVersion: "latest", sourceType: "module" });
  const made = body
    .flatMap((statement) => {
      const declared =
        statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
      return declared?.type === "VariableDeclaration" && declared.kind === "const"
        ? declared.declarations
        : [];
    })
    .flatMap(({ init }: VariableDeclarator) => (init && isMade(init) ? [init] : []));
  return made.reduceRight(
    (text, { start, end }) =>
      `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
    code,
  );
}

/** Functions and plain values need no help, and a module cannot wait in a function that does not. */
const isMade = ({ type }: Node): boolean =>
  !["ArrowFunctionExpression", "FunctionExpression", "Literal", "AwaitExpression"].includes(type);

/** What schemas say of their members is for the OpenAPI document; `describe` only adds it to a copy. */
const undescribed = (text: string): string =>
  text.replaceAll(/\s*\.describe\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'),?\s*\)/g, "");
