import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { toAsl } from "../core/saga/asl.ts";
import { sagas } from "./index.ts";

/**
 * Writes generated/<saga>.asl.json for every saga and takes away what no saga has; with --check,
 * says which are not current and exits 1.
 */
const check = process.argv.includes("--check");
const folder = new URL("generated/", import.meta.url);
const fileOf = (name: string): string => `${name}.asl.json`;

for (const saga of Object.values(sagas)) {
  const file = new URL(fileOf(saga.name), folder);
  const text = `${JSON.stringify(toAsl(saga), null, 2)}\n`;
  if (!check) {
    writeFileSync(file, text);
  } else if (readFileSync(file, "utf8") !== text) {
    console.error(`statemachines/generated/${fileOf(saga.name)} is not current: npm run generate`);
    process.exitCode = 1;
  }
}

const known = new Set(Object.values(sagas).map(({ name }) => fileOf(name)));
for (const file of readdirSync(folder)) {
  if (known.has(file)) continue;
  if (!check) {
    rmSync(new URL(file, folder));
  } else {
    console.error(`statemachines/generated/${file} is of no saga: npm run generate`);
    process.exitCode = 1;
  }
}
