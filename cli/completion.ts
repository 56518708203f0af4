import type { Command } from "commander";
import { operationFor } from "./api/area.ts";
import { apiCommands } from "./api/commands.ts";
import { type Call, connect } from "./call.ts";
import { wrongCall } from "./exit.ts";
import { nameOf } from "./output/columns.ts";
import { forms } from "./output/print.ts";
import { at, list } from "./output/values.ts";

/** `slipway completion <shell>`, and what its scripts ask with each press of the key. */

const scripts: Record<string, string> = {
  bash: `_slipway() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(slipway complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
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

export async function completion({ around, words: [shell = ""] }: Call): Promise<undefined> {
  const script = scripts[shell];
  if (script === undefined)
    throw wrongCall(`there is nothing for '${shell}'`, `shells are: ${shells.join(", ")}`);
  around.out.write(script);
  return undefined;
}

/** Prints what the last word, which may be begun, can be: commands, options, forms, or names of objects. */
export async function complete(program: Command, call: Call): Promise<undefined> {
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
  call: Call,
): Promise<string[]> {
  const [first, second, ...rest] = before.filter((word) => !word.startsWith("-"));
  const group = program.commands.find((each) => isCalled(each, first));
  const command = group?.commands.find((each) => isCalled(each, second)) ?? group;
  if (begun.startsWith("-"))
    return [...(command?.options ?? []), ...program.options].flatMap(({ long }) => long ?? []);
  if (/^(-o|--output)$/.test(before.at(-1) ?? "")) return [...forms];
  if (!group) return program.commands.map((each) => each.name());
  if (group.commands.length > 0 && command === group)
    return group.commands.map((each) => each.name());
  if (rest.length > 0 || command?.registeredArguments[0]?.name() !== "name") return [];
  return namesOf(group.name(), call);
}

const isCalled = (command: Command, word: string | undefined): boolean =>
  word !== undefined && (command.name() === word || command.aliases().includes(word));

/** The names of a kind's first hundred objects; none when they cannot be had. */
async function namesOf(group: string, call: Call): Promise<string[]> {
  const lists = apiCommands().find(({ words }) => words.join(" ") === `${group} list`);
  if (!lists) return [];
  try {
    const { client, area } = connect(call);
    const { body } = await client.get(operationFor(lists, area).path, { limit: "100" });
    return list(at(body, "items")).map(nameOf);
  } catch {
    return [];
  }
}
