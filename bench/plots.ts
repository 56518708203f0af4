import { readFileSync, writeFileSync } from "node:fs";
import { costPlot } from "./plots/cost.ts";
import { growthPlot } from "./plots/growth.ts";
import { simulationPlot } from "./plots/simulation.ts";

/** The function of each plot, from the printed text. */
const plots: Record<string, (printed: string) => string> = {
  cost: (printed) => costPlot(lastLineOf(printed).dollars_per_thousand),
  growth: (printed) => growthPlot(lastLineOf(printed).results["1"] ?? {}),
  simulation: simulationPlot,
};

/** The JSON in the last line of a bench's output, in the form that its plot expects. */
interface Measured {
  dollars_per_thousand: Parameters<typeof costPlot>[0];
  results: Record<string, Parameters<typeof growthPlot>[0]>;
}

const lastLineOf = (printed: string): Measured =>
  JSON.parse(printed.trimEnd().split("\n").at(-1) ?? "");

const folder = new URL("../docs/plots/", import.meta.url);

/** `npm run bench -- plots <name> <file>`: plots the output of a bench or a simulation into the file. */
export async function bench(): Promise<void> {
  const [name = "", file] = process.argv.slice(3);
  const plot = plots[name];
  if (!plot || file === undefined) {
    console.error(`usage: npm run bench -- plots ${Object.keys(plots).join("|")} <printed>`);
    process.exitCode = 1;
    return;
  }
  writeFileSync(new URL(`${name}.svg`, folder), plot(readFileSync(file, "utf8")));
}
