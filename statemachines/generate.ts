import { readFileSync, writeFileSync } from "node:fs";
import { toAsl } from "../core/saga/asl.ts";
import { sagas } from "./index.ts";

/**
 * Writes generated/<saga>.asl.json for every saga; with --check, says which are not current and
 * exits 1.
 */
const check = process.argv.includes("--check");
for (const saga of Object.values(sagas)) {
  const file = new URL(`generated/${saga.name}.asl.json`, import.meta.url);
  const text = `${JSON.stringify(toAsl(saga), null, 2)}\n`;
  if (!check) {
    writeFileSync(file, text);
  } else if (readFileSync(file, "utf8") !== text) {
    console.error(`statemachines/generated/${saga.name}.asl.json is not current: npm run generate`);
    process.exitCode = 1;
  }
}
