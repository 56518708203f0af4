import type { Log } from "../core/log.ts";

/**
 * JSON lines on stdout, in the members that Lambda's own JSON log format has. The trace is the
 * invocation's, so that a line is found from a trace and the other way round.
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
