import { openSync, writeSync } from "node:fs";
import { pino } from "pino";
import { isDiskFull } from "../core/kernel/store/disk-full.ts";
import type { Log } from "../core/log.ts";

/**
 * The log of local mode: JSON lines in a file, so that the terminal stays readable. A full disk loses a line here,
 * whereas pino's own file writer would end the process.
 */
export function fileLog(path: string): Log {
  const file = openSync(path, "a", 0o600);
  const write = (line: string): void => {
    try {
      writeSync(file, line);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  };
  return pino({ level: "info", base: null }, { write });
}
