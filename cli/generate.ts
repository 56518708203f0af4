import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import stringify from "json-stringify-pretty-compact";
import { declaredActions } from "./api/declared.ts";
import { operationsOfDocument } from "./api/document.ts";

/**
 * Writes generated/operations.json, what commands need of the OpenAPI document, and docs/cli.md. With --check it
 * fails when one of them is not current; with --derived it writes only the first, which is not committed.
 */

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const document = path("../functions/api/generated/openapi.json");
const operations = operationsOfDocument(
  JSON.parse(readFileSync(document, "utf8")),
  declaredActions,
);
put(path("generated/operations.json"), `${stringify(operations, { maxLength: 160 })}\n`);
if (!process.argv.includes("--derived")) {
  // The program imports that file, and the reference is generated from the program.
  const { reference } = await import("./reference.ts");
  put(path("../docs/cli.md"), reference(operations));
}

function put(file: string, text: string): void {
  if (!process.argv.includes("--check")) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    console.error(`${file} is not what is generated: npm run generate`);
    process.exitCode = 1;
  }
}
