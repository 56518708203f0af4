import { CommanderError } from "commander";
import { AppError } from "../core/error.ts";
import manifest from "../package.json" with { type: "json" };
import type { Around } from "./around.ts";
import { CliFailure, type Exit, exits } from "./exit.ts";
import { visible } from "./output/unsafe.ts";
import { everyCommand, programOf } from "./program.ts";

/** Runs a command line. Standard output has only the result; every failure is reported and has its exit code. */
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
  // Not an option of the program, since commands of orders have an option of this name.
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

/** Reports the failure of a command, and answers its exit code. `answering` is the server that answered last. */
function told(error: unknown, { err }: Pick<Around, "err">, answering: string | undefined): Exit {
  // Commander has already reported the fault; a request for help is none.
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
  // The answer is probably from another server, such as a proxy. If Slipway is at fault, the detail
  // shows it.
  if (answering !== undefined && (error instanceof TypeError || error instanceof RangeError)) {
    const details = [error.message, "is the address right? slipway context list"];
    const message = `${answering} does not answer like Slipway`;
    return told(new CliFailure(exits.unreachable, message, { details }), { err }, answering);
  }
  throw error;
}
