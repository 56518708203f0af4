import type { Log } from "../../core/log.ts";
import { runMembers } from "./handled.ts";

/** Writes JSON lines to stdout, with the members of Lambda's own JSON log format and those of the run. */
export function lambdaLog(
  write: (line: string) => unknown = (line) => process.stdout.write(line),
): Log {
  const at =
    (level: string): Log["info"] =>
    (members, message) => {
      const timestamp = new Date().toISOString();
      write(`${JSON.stringify({ timestamp, level, message, ...runMembers(), ...members })}\n`);
    };
  return { info: at("INFO"), warn: at("WARN"), error: at("ERROR") };
}
