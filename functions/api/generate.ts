import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { eventDocuments } from "../../core/events/documents.ts";
import { openApi } from "./openapi.ts";
import { routes } from "./routes.ts";

/**
 * Writes openapi.json and the documents of events; with --check fails when one that is there is not
 * current, or not generated.
 */

const folder = fileURLToPath(new URL("../../docs/events/", import.meta.url));
const files = new Map<string, object>([
  [fileURLToPath(new URL("openapi.json", import.meta.url)), openApi(routes)],
  ...[...eventDocuments()].map(([name, document]) => [folder + name, document] as const),
]);

mkdirSync(folder, { recursive: true });
for (const [file, document] of files) {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, "utf8") !== text) complain(file);
}
for (const name of readdirSync(folder)) if (!files.has(folder + name)) complain(folder + name);

function complain(file: string): void {
  console.error(`${basename(file)} is not what is generated: npm run generate, or remove it`);
  process.exitCode = 1;
}
