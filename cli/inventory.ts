import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { AppError } from "../core/error.ts";
import { importInventory } from "./import-inventory.ts";

/**
 * `npm run inventory -- import FILE [--url URL] [--token TOKEN]`: brings hosts from a YAML file
 * into the inventory through the private API. Exits 0 when every host is there as the file says,
 * 1 when one was refused, 2 when the call is wrong.
 */

const usage =
  "usage: npm run inventory -- import FILE [--url URL] [--token TOKEN]\n" +
  "  URL and TOKEN (an administrator's) may come from SLIPWAY_URL and SLIPWAY_TOKEN";

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { url: { type: "string" }, token: { type: "string" } },
  });
  const [command, file] = positionals;
  const url = values.url ?? process.env.SLIPWAY_URL;
  const token = values.token ?? process.env.SLIPWAY_TOKEN;
  if (command !== "import" || file === undefined || !url || !token) throw new TypeError(usage);
  const results = await importInventory(readFileSync(file, "utf8"), { url, token, fetch });
  for (const { name, outcome, message } of results) {
    console.log(`${outcome.padEnd(9)} ${name}${message ? `: ${message}` : ""}`);
  }
  if (results.some(({ outcome }) => outcome === "refused")) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof AppError ? 1 : 2;
}
