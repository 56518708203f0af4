import { readFileSync, writeFileSync } from "node:fs";
import { costPlot } from "./plots/cost.ts";
import { growthPlot } from "./plots/growth.ts";

/** How each plot is drawn from what its bench printed. */
const plots: Record<string, (printed: Printed) => string> = {
  cost: ({ dollars_per_thousand: dollars }) => costPlot(dollars),
  growth: ({ results }) => growthPlot(results["1"] ?? {}),
};

/** The JSON of the last line that a bench has printed: a plot knows its own. */
interface Printed {
  dollars_per_thousand: Parameters<typeof costPlot>[0];
  results: Record<string, Parameters<typeof growthPlot>[0]>;
}

const folder = new URL("../docs/plots/", import.meta.url);

/** `npm run bench -- plots <name> <file>`: draws what `npm run bench -- <name> > <file>` has printed. */
export async function bench(): Promise<void> {
  const [name = "", file] = process.argv.slice(3);
  const plot = plots[name];
  if (!plot || file === undefined) {
    console.error(`usage: npm run bench -- plots ${Object.keys(plots).join("|")} <printed>`);
    process.exitCode = 1;
    return;
  }
  const last = readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "";
  writeFileSync(new URL(`${name}.svg`, folder), plot(JSON.parse(last)));
}
