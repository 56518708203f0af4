import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import stringify from "json-stringify-pretty-compact";
import { toAsl } from "../core/kernel/saga/asl.ts";
import { shapeOf } from "../core/kernel/saga/saga.ts";
import { keep, notKept, readFormer } from "./former.ts";
import { sagas } from "./index.ts";
import { extended, sagaFaultsOf, stepListSchema } from "./steps.ts";

/**
 * Generates the state machine of each saga and the shapes of all into generated/, and removes the files of sagas
 * that no longer exist. Keeps former definitions, and adds new steps to the list of steps. With --check, names the
 * files that are not current and exits 1. Both fail when a step was removed, renamed or moved without a reason in
 * the list.
 */
const check = process.argv.includes("--check");
const folder = new URL("generated/", import.meta.url);

const shapes = Object.fromEntries(
  Object.entries(sagas).map(([name, { nodes, ...saga }]) => [
    name,
    { ...saga, nodes: shapeOf(nodes) },
  ]),
);
const files = new Map<string, string>([
  ...Object.values(sagas).map(
    (saga) => [`${saga.name}.asl.json`, `${JSON.stringify(toAsl(saga), null, 2)}\n`] as const,
  ),
  [
    "shapes.ts",
    `import type { Shapes } from "../../core/kernel/saga/settle.ts";

/**
 * Every saga without the code of its steps, for functions that run none. Made from the sagas' tables by
 * \`npm run generate\`; do not edit.
 */
export const sagaShapes: Shapes = ${stringify(shapes, { maxLength: 140 })};
`,
  ] as const,
]);

const said = (name: string, what: string): void => {
  console.error(`statemachines/generated/${name} ${what}: npm run generate`);
  process.exitCode = 1;
};

for (const [name, text] of files) {
  const file = new URL(name, folder);
  if (!check) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) said(name, "is not current");
}
for (const name of readdirSync(folder)) {
  if (files.has(name) || name === "former") continue;
  if (check) said(name, "is of no saga");
  else rmSync(new URL(name, folder));
}

const definitions = new Map(
  Object.values(sagas).map((saga) => [saga.name, files.get(`${saga.name}.asl.json`) ?? ""]),
);
for (const former of notKept(definitions)) {
  if (check) said(`former/${former.name}.json`, "is not kept");
  else keep(former);
}

const listFile = new URL("steps.json", import.meta.url);
const list = stepListSchema.parse(JSON.parse(readFileSync(listFile, "utf8")));
const longer = extended(list, sagas);
if (!isDeepStrictEqual(longer, list)) {
  if (check) said("../steps.json", "has not every step");
  else writeFileSync(listFile, `${JSON.stringify(longer, null, 2)}\n`);
}
for (const fault of sagaFaultsOf(longer, sagas, readFormer())) {
  console.error(`statemachines/steps.json: ${fault}`);
  process.exitCode = 1;
}
