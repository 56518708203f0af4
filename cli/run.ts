import { CommanderError } from "commander";
import { AppError } from "../core/error.ts";
import manifest from "../package.json" with { type: "json" };
import type { Around } from "./around.ts";
import { CliFailure, type Exit, exits } from "./exit.ts";
import { visible } from "./output/unsafe.ts";
import { everyCommand, programOf } from "./program.ts";

/** Runs a command line. Standard output has the result alone; every failure is told and has its code. */
export async function run(args: readonly string[], shell: Around): Promise<Exit> {
  let answering: string | undefined;
  const around: Around = {
    ...shell,
    fetch: async (url, init) => {
      const response = await shell.fetch(url, init);
      answering = new URL(url).origin;
      return response;
    },
  };
  // No option of the program: orders have one of this name.
  if (args.length === 1 && args[0] === "--version") {
    around.out.write(`${manifest.version}\n`);
    return exits.done;
  }
  let exit: Exit = exits.done;
  const program = programOf(async (words, given, work) => {
    const options =
      given.tokenFile === undefined
        ? given
        : (await import("./call.ts")).withToken({ ...given, tokenFile: given.tokenFile }, around);
    exit = (await work({ words, options, around })) ?? exits.done;
  }, args);
  for (const command of everyCommand(program))
    command.configureOutput({
      writeOut: (text) => around.out.write(text),
      writeErr: (text) => around.err.write(text),
      getOutHelpWidth: () => around.out.columns,
      getErrHelpWidth: () => around.err.columns,
    });
  try {
    await program.parseAsync(args, { from: "user" });
    return exit;
  } catch (error) {
    return told(error, around, answering);
  }
}

/** Words for the end of a command, and its code. `answering` is who has answered last. */
function told(error: unknown, { err }: Pick<Around, "err">, answering: string | undefined): Exit {
  // Commander has reported what is wrong; help that was asked for is no fault.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.usage;
  if (error instanceof CliFailure) {
    err.write(`${[error.message, ...error.details.map((each) => `  ${each}`)].join("\n")}\n`);
    return error.exit;
  }
  if (error instanceof AppError) {
    const violations = error.violations.map(({ field, message }) => `\n  ${field}: ${message}`);
    err.write(`${visible(`${error.message}${violations.join("")}`)}\n`);
    return error.kind === "Unavailable" ? exits.unreachable : exits.refused;
  }
  // What is printed is of the shape that Slipway answers. If ours is the fault, the detail tells it.
  if (answering !== undefined && (error instanceof TypeError || error instanceof RangeError)) {
    const details = [error.message, "is the address right? slipway context list"];
    const message = `${answering} answers not as Slipway`;
    return told(new CliFailure(exits.unreachable, message, { details }), { err }, answering);
  }
  throw error;
}
