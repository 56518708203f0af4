import { Command } from "commander";
import { apiCommands } from "./api/commands.ts";
import { addApiCommands } from "./api/register.ts";
import type { Act, SharedOptions, Work } from "./call.ts";
import { exitMeanings, exits } from "./exit.ts";
import { describeGroups } from "./groups.ts";
import { addOwnCommands } from "./own.ts";
import { addProviderCommands } from "./own-provider.ts";

/** Runs the work of a called command. */
export type Run = (words: string[], options: SharedOptions, work: Work<object>) => Promise<void>;

/** All commands in commander's form; groups that these words cannot call have only their names. */
export function programOf(run: Run, words?: readonly string[]): Command {
  const isCalled = (group: Command): boolean =>
    words === undefined || [group.name(), ...group.aliases()].some((name) => words.includes(name));
  const program = new Command("slipway")
    .description("Orders clusters and networks, follows them, and shows what needs an operator.")
    .option("--context <name>", "which Slipway to ask (slipway context list)")
    .option("--url <url>", "its address; also SLIPWAY_URL")
    .option(
      "--token-file <file>",
      "a file with the token of who asks; - reads standard input; also SLIPWAY_TOKEN",
    )
    .option("--as <who>", "provider or tenant: the API to use; by default by the token's roles")
    .addHelpText("after", `\nslipway --version says which one this is.\n\n${exitText()}`)
    .helpCommand(false);
  const act: Act = (command, work) => {
    command.action(async function (this: Command) {
      // Each command declares the options that its work reads.
      const called = (await work()) as Work<object>;
      await run(this.args, this.optsWithGlobals<SharedOptions>(), called);
    });
  };
  addOwnCommands(program, act);
  addProviderCommands(program, act);
  describeGroups(program, addApiCommands(program, apiCommands(), act, isCalled));
  for (const command of everyCommand(program)) command.exitOverride().showSuggestionAfterError();
  return program;
}

/** A command with all its subcommands. */
export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

function exitText(): string {
  const lines = Object.entries(exits).map(
    ([name, code]) => `  ${code}  ${exitMeanings[name as keyof typeof exits]}`,
  );
  return `Exit codes:\n${lines.join("\n")}\n`;
}
