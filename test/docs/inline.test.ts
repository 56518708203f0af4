import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { everyCommand, programOf } from "../../cli/program.ts";
import document from "../../functions/api/generated/openapi.json" with { type: "json" };
import { siteController } from "../../functions/site-controller/app.ts";
import { story } from "../cli/printed/story.ts";
import { testDeps } from "../support/deps.ts";

/** What documents name in their sentences: commands and requests. Blocks of commands are run (commands.test.ts). */

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "templates/README.md",
  ...["docs", "docs/first-cluster", "docs/decisions"].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
];

/** The pieces of code in a document's sentences. */
const inline = (document: string): string[] =>
  Array.from(
    readFileSync(document, "utf8")
      .replaceAll(/^( *)```.*?^\1```$/gms, "")
      .matchAll(/`([^`]+)`/g),
    ([, code = ""]) => code.replaceAll(/\s+/g, " "),
  );

/** Each piece that the pattern finds, with what it finds, and where. */
const named = (pattern: RegExp) =>
  documents.flatMap((document) =>
    inline(document).flatMap((code) => {
      const found = pattern.exec(code);
      return found ? [{ where: `${document}: ${code}`, found: found.slice(1) }] : [];
    }),
  );

/** Lines of the command line that are not typed in the story, and why. */
const untold: [RegExp, string][] = [
  [/--help$/, "test/cli/every-command.test.ts asks every command"],
  [/^<its tag>|^ready /, "no command"],
];

const told = Object.values(story)
  .flat()
  .map(([line]) => line.replaceAll("'", ""));
const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
const program = programOf(async () => {});

/** The command that a line names; undefined where there is none. */
function commandIn(line: string) {
  const [group = "", verb] = line.split(" ");
  const found = program.commands.find((each) => [each.name(), ...each.aliases()].includes(group));
  const below = found?.commands.find((each) => each.name() === verb);
  return { command: below ?? found, rest: line.split(" ").slice(below ? 2 : 1) };
}

it("lines of the command line are typed in its story, with the document's own words", () => {
  const shorter = Object.fromEntries(
    Object.entries<string>(scripts).flatMap(([name, script]) => {
      const [, group] = /node cli\/slipway\.js ?(\w*)$/.exec(script) ?? [];
      return group === undefined ? [] : [[name, group]];
    }),
  );
  const lines = [
    ...named(/^(?:source <\()?slipway ([^)]+)/).map(({ where, found: [line = ""] }) => ({
      where,
      line,
    })),
    ...named(/^npm run (?:-s )?(\w+) -- (.+)$/).flatMap(({ where, found: [name = "", rest] }) =>
      shorter[name] === undefined ? [] : [{ where, line: `${shorter[name]} ${rest}`.trim() }],
    ),
  ].filter(({ line }) => !untold.some(([words]) => words.test(line)));
  expect(lines.length).toBeGreaterThan(20);
  const unheard = lines.filter(({ line }) => {
    const { command, rest } = commandIn(line);
    if (!command) return true;
    const words = rest.filter((word) => !/^[<[].*[\]>]$/.test(word));
    // It is named, and not shown.
    if (words.length === 0) return false;
    const own = told.filter((each) => commandIn(each).command === command);
    return !own.some((each) => hasInOrder(each.split(" "), words));
  });
  expect(unheard).toEqual([]);
});

/** Whether a line has these words, among others and in this order. */
function hasInOrder(line: string[], words: string[]): boolean {
  const rest = [...line];
  return words.every((word) => {
    const at = rest.findIndex((each) => each === word || isBlank(word));
    rest.splice(0, at + 1);
    return at >= 0;
  });
}

/** Whether a word stands for one of the reader's own: `NAME`, `https://…`, a file. */
const isBlank = (word: string): boolean => /^[A-Z]+$|…|^-$|\.(json|yaml)$/.test(word);

it("what npm is to run is there", () => {
  const runs = named(/^npm run (?:-s )?([\w:-]+)(?: -- (\S+))?/);
  expect(runs.length).toBeGreaterThan(40);
  const missing = runs.filter(
    ({ found: [name = "", first] }) =>
      scripts[name] === undefined || (name === "bench" && !isBench(first)),
  );
  expect(missing).toEqual([]);
});

const isBench = (name: string | undefined): boolean =>
  name === undefined || name.startsWith("<") || existsSync(`bench/${name}.ts`);

/** Requests of neither the API nor the site controller. */
const others: [RegExp, string][] = [
  [/^\/(ledger|packets|faults|hosts|hubs|hubs\/\{id\}\/restart)$/, "the simulated world"],
  [/^\/apis\//, "Kubernetes"],
];

it("requests are of the API or the site controller", () => {
  const known = new Set(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
  const asked = siteController(testDeps()).routes.map(
    ({ method, path }) => new RegExp(`^${method} ${path.replaceAll(/:\w+/g, "[^/]+")}$`),
  );
  const requests = named(/^(GET|POST|PATCH|PUT|DELETE) (\S+)/);
  expect(requests.length).toBeGreaterThan(60);
  const unknown = requests.filter(({ found: [method, path = ""] }) => {
    if (others.some(([pattern]) => pattern.test(path))) return false;
    if (asked.some((pattern) => pattern.test(`${method} ${path}`))) return false;
    const [end = ""] = path.replace(/^…/, "").replace("<switch>", "intake").split("?");
    return ![...known].some(
      (each) =>
        each.startsWith(`${method} `) && each.endsWith(end.startsWith("/") ? end : `/${end}`),
    );
  });
  expect(unknown).toEqual([]);
});

it("every command and every document is looked at", () => {
  expect(everyCommand(program).length).toBeGreaterThan(200);
  expect(documents.length).toBeGreaterThan(30);
});
