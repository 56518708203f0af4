import { expect, it } from "vitest";
import { type ApiCommand, apiCommands } from "../../cli/api/commands.ts";
import { forms } from "../../cli/output/print.ts";
import { everyCommand, programOf } from "../../cli/program.ts";
import { exampleAt } from "../support/fuzz/document.ts";
import { openSite } from "../support/site.ts";
import { terminalAt } from "../support/terminal.ts";

/** Each command that follows from the document is called once, in every form and both widths. */

const commands = apiCommands();
const nameOf = ({ words }: ApiCommand) => words.join(" ");
const reads = commands.filter((each) => (each.private ?? each.public)?.method === "GET");
const isAboutOne = (each: ApiCommand) => (each.private ?? each.public)?.path.includes("{id}");
const isList = (each: ApiCommand) =>
  (each.private ?? each.public)?.query.includes("filter") ?? false;

async function siteWithDemo() {
  const site = await openSite();
  const id = await site.order("demo");
  await site.settled(id);
  return site;
}

it("lists answer in every form, on a narrow terminal, on a wide one and into a pipe", async () => {
  const site = await siteWithDemo();
  const pipe = terminalAt(site);
  const narrow = terminalAt(site, { isTerminal: true, columns: 60 });
  for (const command of reads.filter((each) => isList(each))) {
    const name = nameOf(command);
    const { exit, out } = await pipe.slipway(`${name} -o json`);
    expect(exit, name).toBe(0);
    const { items, size } = JSON.parse(out);
    expect(size, name).toBe(items.length);
    for (const form of forms) {
      const shown = await pipe.slipway(`${name} -o ${form}`);
      expect(shown.exit, `${name} -o ${form}`).toBe(0);
      const lines = shown.out.split("\n").length - 1;
      if (form === "table" || form === "wide")
        expect(lines, `${name} -o ${form}`).toBe(size === 0 ? 0 : size + 1);
      if (form === "name") expect(lines, name).toBe(size);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
      expect(shown.out, `${name} -o ${form}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    }
    expect((await narrow.slipway(name)).exit, name).toBe(0);
  }
});

it("objects answer to the name that their list has, and what is read of them too", async () => {
  const site = await siteWithDemo();
  const { slipway } = terminalAt(site);
  let asked = 0;
  for (const command of reads.filter((each) => isAboutOne(each))) {
    const [group = ""] = command.words;
    const listed = (await slipway(`${group} list -o name`)).out.split("\n")[0];
    if (!listed) continue;
    const { exit, err } = await slipway([...command.words, listed]);
    expect({ exit, err }, nameOf(command)).toEqual({
      exit: 0,
      err: expect.stringMatching(/^(there are none\n)?$/),
    });
    asked += 1;
  }
  expect(asked).toBeGreaterThan(10);
  for (const command of reads.filter((each) => !isAboutOne(each) && !isList(each)))
    expect((await slipway(nameOf(command))).exit, nameOf(command)).toBe(0);
});

it("what is new is tried with the document's own example, from a file", async () => {
  const site = await siteWithDemo();
  for (const command of commands.filter(({ words }) => words[1] === "create")) {
    const { path } = command.private ?? command.public ?? { path: "" };
    const example = exampleAt(path);
    const files = { "example.json": JSON.stringify(example) };
    const { slipway } = terminalAt(site, { files });
    const { exit, err } = await slipway(`${nameOf(command)} --from example.json --dry-run`);
    // Others need what this world does not have; then the field is named.
    if (exit !== 0)
      expect(err, nameOf(command)).toMatch(/^[A-Z].*\n( {2}[\w. ]+.*\n)* {2}request \S+\n$/);
    expect([0, 1], `${nameOf(command)}: ${err}`).toContain(exit);
  }
});

it("every command says how it is called", async () => {
  const { slipway } = terminalAt(await openSite());
  const program = programOf(async () => {});
  for (const command of everyCommand(program).slice(1)) {
    const path = [command.parent?.name(), command.name()].filter((each) => each !== "slipway");
    const { exit, out, err } = await slipway([...path.flatMap((each) => each ?? []), "--help"]);
    expect({ exit, err }, path.join(" ")).toEqual({ exit: 0, err: "" });
    expect(out, path.join(" ")).toMatch(/^Usage: slipway /);
    expect(out.replaceAll(/\s+/g, " ")).toContain(command.description());
  }
});
