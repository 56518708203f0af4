import type { Command } from "commander";
import { operationFor } from "./api/area.ts";
import { apiCommands } from "./api/commands.ts";
import type { Around } from "./around.ts";
import { type CliCall, connect, withToken } from "./call.ts";
import { contextsIn } from "./contexts.ts";
import { wrongCall } from "./exit.ts";
import { columnNameOf } from "./output/columns.ts";
import { forms } from "./output/print.ts";
import { at, list } from "./output/values.ts";

/** `slipway completion <shell>`, and the command that its scripts call at each press of the Tab key. */

const scripts: Record<string, string> = {
  bash: `_slipway() {
  local found
  COMPREPLY=()
  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(slipway complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _slipway slipway
`,
  zsh: `#compdef slipway
_slipway() {
  local -a found
  found=(\${(f)"$(slipway complete -- "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null)"})
  compadd -a found
}
compdef _slipway slipway
`,
  fish: `complete -c slipway -f -a '(slipway complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};

export const shells = Object.keys(scripts);

export async function completion({ around, words: [shell = ""] }: CliCall): Promise<undefined> {
  const script = scripts[shell];
  if (script === undefined)
    throw wrongCall(`unknown shell '${shell}'`, `shells are: ${shells.join(", ")}`);
  around.out.write(script);
  return undefined;
}

/** Prints the completions of the last, perhaps partial word: commands, options, forms, or names of objects. */
export async function complete(program: Command, call: CliCall): Promise<undefined> {
  const { around, words } = call;
  const begun = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const found = await candidates(program, { before, begun }, call);
  for (const each of found) if (each.startsWith(begun)) around.out.write(`${each}\n`);
  return undefined;
}

async function candidates(
  program: Command,
  { before, begun }: { before: string[]; begun: string },
  call: CliCall,
): Promise<string[]> {
  const { words, options, open } = read(program, before);
  const [first, second, ...rest] = words;
  const group = program.commands.find((each) => isCalled(each, first));
  const command = group?.commands.find((each) => isCalled(each, second)) ?? group;
  // Asks the Slipway server that the preceding options select.
  const asked = { ...call, options: { ...call.options, ...sharedOf(options, call.around) } };
  if (open !== undefined) return valuesOf(open, asked);
  if (begun.startsWith("-"))
    return [...(command?.options ?? []), ...program.options].flatMap(({ long }) => long ?? []);
  if (!group) return program.commands.map((each) => each.name());
  if (group.commands.length > 0 && command === group)
    return group.commands.map((each) => each.name());
  if (command === undefined) return [];
  const given = command === group ? words.slice(1) : rest;
  if (given.length > 0) return [];
  const own = firstWords[[group.name(), command === group ? "" : command.name()].join(" ").trim()];
  if (own) return own(asked);
  return command.registeredArguments[0]?.name() === "name" ? namesOf(group.name(), asked) : [];
}

/** The groups of the API's commands. */
const apiGroups = (): Set<string> =>
  new Set(apiCommands().flatMap(({ words: [group] }) => group ?? []));

const contextNames = ({ around }: CliCall): string[] =>
  Object.keys(contextsIn(around.env).contexts).filter(isName);

/**
 * Whether every shell reads the word literally, and not as an option. The Tab key inserts names
 * from a server into a command line, so the CLI offers no other words.
 */
const isName = (word: string): boolean => /^\w[\w.@:/+-]{0,252}$/.test(word);

/** The completions of a command's first word, where it is not the name of an object of its group. */
const firstWords: Record<string, (call: CliCall) => string[] | Promise<string[]>> = {
  completion: () => shells,
  who: async () => [...(await import("../core/reconcile/owners/schema.ts")).ownedKinds],
  explain: () => [...apiGroups()],
  "context use": contextNames,
  "context remove": contextNames,
};

/** The options that select the Slipway and the token. */
type Asking = Partial<Record<"context" | "url" | "token-file" | "as", string>>;

/**
 * The options of a completed command. A token on standard input is not read, because the command itself needs
 * it.
 */
const sharedOf = ({ "token-file": tokenFile, ...options }: Asking, around: Around) =>
  tokenFile === undefined || tokenFile === "-"
    ? options
    : withToken({ ...options, tokenFile }, around);

/** The words that are neither options nor their values, and the option whose value follows. */
function read(
  program: Command,
  before: readonly string[],
): { words: string[]; options: Asking; open?: string } {
  const words: string[] = [];
  const options: Record<string, string> = {};
  let open: string | undefined;
  for (const word of before) {
    if (open !== undefined) {
      options[open] = word;
      open = undefined;
    } else if (word.startsWith("-")) {
      const [, name = "", value] = /^--?([^=]+)(?:=(.*))?$/.exec(word) ?? [];
      if (value !== undefined) options[name] = value;
      else if (takesValue(program, words, word)) open = name;
    } else words.push(word);
  }
  return { words, options, ...(open !== undefined && { open }) };
}

function takesValue(program: Command, words: readonly string[], flag: string): boolean {
  const group = program.commands.find((each) => isCalled(each, words[0]));
  const command = group?.commands.find((each) => isCalled(each, words[1]));
  return [program, group, command].some((each) =>
    each?.options.some(
      ({ short, long, required, optional }) =>
        (required || optional) && [short, long].includes(flag),
    ),
  );
}

/** The completions of an option's value: its own words, or names of the kind that it is named after. */
async function valuesOf(option: string, call: CliCall): Promise<string[]> {
  if (option === "o" || option === "output") return [...forms];
  if (option === "as") return ["provider", "tenant"];
  if (option === "context") return contextNames(call);
  const groups = apiGroups();
  const group = [option, `cluster-${option}`].find((name) => groups.has(name));
  return group === undefined ? [] : namesOf(group, call);
}

const isCalled = (command: Command, word: string | undefined): boolean =>
  word !== undefined && (command.name() === word || command.aliases().includes(word));

/** The names of a kind's first hundred objects; none when they cannot be read. */
async function namesOf(group: string, call: CliCall): Promise<string[]> {
  const lists = apiCommands().find(({ words }) => words.join(" ") === `${group} list`);
  if (!lists) return [];
  try {
    const { client, area } = connect(call);
    const { body } = await client.get(operationFor(lists, area).path, { limit: "100" });
    return list(at(body, "items")).map(columnNameOf).filter(isName);
  } catch {
    return [];
  }
}
