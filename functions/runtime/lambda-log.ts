import type { Log } from "../../core/log.ts";

/**
 * Writes JSON lines to stdout, with the members of Lambda's own JSON log format. Each has the
 * invocation's trace, so that a line leads to its trace and a trace to its lines.
 */
export function lambdaLog(
  write: (line: string) => unknown = (line) => process.stdout.write(line),
): Log {
  const at =
    (level: string): Log["info"] =>
    (members, message) => {
      const trace = process.env._X_AMZN_TRACE_ID;
      const timestamp = new Date().toISOString();
      write(
        `${JSON.stringify({ timestamp, level, message, ...(trace && { trace }), ...members })}\n`,
      );
    };
  return { info: at("INFO"), warn: at("WARN"), error: at("ERROR") };
}
