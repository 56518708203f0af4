import { pino } from "pino";
import type { Log } from "../core/log.ts";

/** JSON lines on standard output, each with the hub. */
export const standardLog = (hub: string, level: string): Log =>
  pino({ level, base: { hub }, timestamp: pino.stdTimeFunctions.isoTime });
