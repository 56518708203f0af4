import { destination, pino } from "pino";
import type { Log } from "../core/log.ts";

/** The log of local mode: JSON lines in a file, so that the terminal stays readable. */
export function fileLog(path: string): Log {
  return pino({ level: "info", base: null }, destination({ dest: path, sync: true }));
}
