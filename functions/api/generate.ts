import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import stringify from "json-stringify-pretty-compact";
import { catalogueText } from "./docs/error-catalogue.ts";
import { compatibilityTables } from "./docs/osac/table.ts";
import { permissionTables } from "./docs/permission-table.ts";
import { eventDocuments } from "./event-documents.ts";
import { families, routesOf } from "./families.ts";
import { openApi } from "./openapi/document.ts";

/**
 * Writes generated/openapi.json, the documents of events, the errors in docs/api.md, the permissions in
 * docs/identity.md and the tables of docs/osac-compatibility.md. With --check it fails when one of them is not current
 * or is surplus.
 */

const folder = fileURLToPath(new URL("../../docs/events/", import.meta.url));
const guide = fileURLToPath(new URL("../../docs/api.md", import.meta.url));
const compatibility = fileURLToPath(new URL("../../docs/osac-compatibility.md", import.meta.url));
const identity = fileURLToPath(new URL("../../docs/identity.md", import.meta.url));
/** A member with its description is mostly one line, which keeps the diff of a new kind short. */
const json = (document: object) => `${stringify(document, { maxLength: 140 })}\n`;
const files = new Map<string, string>([
  [
    fileURLToPath(new URL("generated/openapi.json", import.meta.url)),
    json(openApi(await routesOf(families))),
  ],
  [guide, ending(readFileSync(guide, "utf8"), catalogueText())],
  [compatibility, ending(readFileSync(compatibility, "utf8"), compatibilityTables())],
  [identity, ending(readFileSync(identity, "utf8"), permissionTables())],
  ...[...eventDocuments()].map(([name, document]) => [folder + name, json(document)] as const),
]);

mkdirSync(folder, { recursive: true });
for (const [file, text] of files) {
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, "utf8") !== text) complain(file);
}
for (const name of readdirSync(folder)) if (!files.has(folder + name)) complain(folder + name);

/** Replaces the generated end of a document. */
function ending(text: string, generated: string): string {
  const mark = "<!-- generated: npm run generate -->\n";
  return `${text.slice(0, text.indexOf(mark) + mark.length)}\n${generated}`;
}

function complain(file: string): void {
  console.error(`${basename(file)} is not what is generated: npm run generate, or remove it`);
  process.exitCode = 1;
}
