/** `npm run bench -- <name>`: runs one measurement, and prints it as a table and as JSON. */
const benches: Record<string, () => Promise<{ bench(): Promise<void> }>> = {
  api: () => import("./api.ts"),
  cli: () => import("./cli.ts"),
  cold: () => import("./cold.ts"),
  console: () => import("./console.ts"),
  cost: () => import("./cost.ts"),
  fleet: () => import("./fleet.ts"),
  machines: () => import("./machines.ts"),
  waiting: () => import("./waiting.ts"),
  plots: () => import("./plots.ts"),
  growth: () => import("./growth.ts"),
  ops: () => import("./ops.ts"),
};

const [name = ""] = process.argv.slice(2);
const found = benches[name];
if (found) {
  await (await found()).bench();
} else {
  console.error(`usage: npm run bench -- ${Object.keys(benches).join("|")}`);
  process.exitCode = 1;
}
