import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { lock } from "./lock.ts";
import { whenParentIsGone } from "./parent.ts";
import { startSlipway } from "./slipway.ts";

/** `npm run dev`: settings from the environment, one line when the API answers, a clean end. */

const data = resolve(process.env.SLIPWAY_DATA ?? ".local");
const port = wholeNumber("PORT", 4400, 65_535);
const speed = wholeNumber("SLIPWAY_SIM_SPEED", 60, 100_000);
const profile = process.env.API_PROFILE === "osac" ? "osac" : "slipway";

try {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const unlock = lock(join(data, "lock"));
  process.once("exit", unlock);
  const slipway = await startSlipway({ data, port, speed, profile });
  let ending = false;
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    // Whatever hangs, a process that was told to end does.
    setTimeout(() => process.exit(1), 5000).unref();
    await slipway.stop();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void end());
  whenParentIsGone(() => void end());
  console.log(`slipway ready ${slipway.url}`);
} catch (error) {
  console.error(
    `slipway could not start: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
}

/** A setting from the environment; ends the process with what would be right. */
function wholeNumber(name: string, fallback: number, most: number): number {
  const text = process.env[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  console.error(`${name} must be a whole number from 0 to ${most}, not '${text}'`);
  process.exit(2);
}
