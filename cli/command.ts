import { parseArgs } from "node:util";
import { AppError } from "../core/error.ts";
import { endpointOf } from "./endpoint.ts";
import type { Api } from "./private-api.ts";

/** The command was called wrongly; its usage is shown. */
export class WrongCall extends Error {}

interface Call<Option extends string> {
  /** The arguments that are not options: the subcommand and its object. */
  words: string[];
  options: Partial<Record<Option, string>>;
  /** Throws WrongCall when no Slipway is given. */
  api(): Api;
}

/**
 * Runs a command of `npm run`, whose options all take a value; `--help` shows the usage. Standard
 * output has the result alone, standard error everything else. Exits 0 when `work` answers true, 1
 * when it answers false or is refused, 2 when the call is wrong.
 */
export async function command<Option extends string>(
  usage: string,
  known: readonly Option[],
  work: (call: Call<Option | "url" | "token">) => Promise<boolean>,
): Promise<void> {
  try {
    const options = Object.fromEntries(
      [...known, "url", "token"].map((name) => [name, { type: "string" as const }]),
    );
    const { values, positionals } = parse({ ...options, help: { type: "boolean", short: "h" } });
    if (values.help === true) {
      console.log(usage);
      return;
    }
    const given = values as Call<Option | "url" | "token">["options"];
    const api = () => {
      const endpoint = endpointOf(given, process.env);
      if (!endpoint) throw new WrongCall("no Slipway is named");
      return { ...endpoint, fetch };
    };
    process.exitCode = (await work({ words: positionals, options: given, api })) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    for (const { field, message } of error instanceof AppError ? error.violations : [])
      console.error(`  ${field}: ${message}`);
    if (error instanceof WrongCall) console.error(usage);
    process.exitCode = error instanceof AppError ? 1 : 2;
  }
}

function parse(options: NonNullable<Parameters<typeof parseArgs>[0]>["options"]) {
  try {
    return parseArgs({ allowPositionals: true, options: options ?? {} });
  } catch (error) {
    // Node's own message names the option.
    throw new WrongCall(error instanceof Error ? error.message : String(error));
  }
}
