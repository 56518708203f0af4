import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openApi } from "./openapi.ts";
import { routes } from "./routes.ts";

/** Writes openapi.json; with --check fails when the one that is there is not current. */

const file = fileURLToPath(new URL("openapi.json", import.meta.url));
const text = `${JSON.stringify(openApi(routes), null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (readFileSync(file, "utf8") !== text) {
  console.error("functions/api/openapi.json is not current: npm run generate");
  process.exitCode = 1;
}
