import { type CliCall, provider } from "./call.ts";
import { type Exit, exits } from "./exit.ts";
import { fileText } from "./generic/body.ts";
import { importInventory } from "./import-inventory.ts";

/** `slipway host import FILE`: imports hosts from a YAML file; its exit code is `refused` if any host was. */
export async function importHosts(call: CliCall): Promise<Exit> {
  const { around, words } = call;
  const [file = ""] = words;
  const results = await importInventory(fileText(around, file), provider(call));
  for (const { name, outcome, message } of results)
    around.out.write(`${outcome.padEnd(9)} ${name}${message ? `: ${message}` : ""}\n`);
  return results.every(({ outcome }) => outcome !== "refused") ? exits.done : exits.refused;
}
