import { readFileSync } from "node:fs";
import { command, WrongCall } from "./command.ts";
import { endpointUsage } from "./endpoint.ts";
import { importInventory } from "./import-inventory.ts";

/**
 * `npm run inventory -- import FILE`: imports hosts from a YAML file through the private API. Exits
 * 0 when every host is as the file says, 1 when one was refused.
 */

const usage = `usage: npm run inventory -- import FILE [--url URL] [--token TOKEN]
${endpointUsage}`;

await command(usage, [], async ({ words: [verb, file, ...rest], api }) => {
  if (verb !== "import" || file === undefined || rest.length > 0)
    throw new WrongCall("import FILE is needed");
  const results = await importInventory(readFileSync(file, "utf8"), api());
  for (const { name, outcome, message } of results)
    console.log(`${outcome.padEnd(9)} ${name}${message ? `: ${message}` : ""}`);
  return results.every(({ outcome }) => outcome !== "refused");
});
