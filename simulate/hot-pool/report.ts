import { listed, shown, table } from "../tables.ts";
import type { Sample } from "./pools.ts";
import type { HotPoolOutcome } from "./run.ts";

/** The final report of a simulation of hot pools. */

/** Minutes per line. */
const apart = 15;

export function reportOfHotPools(outcome: HotPoolOutcome): string[] {
  const { orders, hosts, waited, defects, reasons, decisions, pools, bounds, wrong } = outcome;
  const { starts, admitted, soundSetAside } = outcome;
  return [
    table("orders, when nothing but waits for hosts was under way", orders),
    table("hosts then", hosts),
    listed(
      "orders that became READY, by how long they had waited for hosts",
      Object.entries(waited),
    ),
    table("what was wrong with servers", defects),
    table("quarantined because of", reasons, shown),
    table("what the operator did with quarantined hosts", decisions),
    ...pools.flatMap(({ hub, hostType, samples }) => [
      `the pool of ${hostType} at ${hub}, which keeps ${bounds.min} to ${bounds.max} free:`,
      ...linesOf(samples),
    ]),
    table("not as promised", Object.fromEntries(wrong.map((line) => [line, 1]))),
    `servers were switched on ${starts} times, hosts came into a pool ${admitted} times; ${soundSetAside} were quarantined although nothing was wrong`,
  ];
}

const columns = ["minute", "free", "coming", "late", "off", "held", "wanted"];

/** A line per interval: the fewest and most free hosts, and the others at its end. */
function linesOf(samples: readonly Sample[]): string[] {
  const lines: string[] = [];
  for (let first = 0; first < samples.length; first += apart) {
    const some = samples.slice(first, first + apart);
    const last = some.at(-1);
    if (!last) continue;
    const free = some.map((each) => each.free);
    const wanted = Math.max(...some.map((each) => each.wanted));
    const range = `${Math.min(...free)}..${Math.max(...free)}`;
    const { minute, coming, late, idle, held } = last;
    lines.push(lineOf([minute, range, coming, late, idle, held, wanted]));
  }
  // Long after the rush nothing changes any more, so the report ends.
  return [lineOf(columns), ...withoutRepeats(lines)];
}

const lineOf = (cells: readonly (string | number)[]): string =>
  cells.map((cell) => String(cell).padStart(8)).join("");

/** The first and the last of lines that differ only in their minute. */
function withoutRepeats(lines: readonly string[]): string[] {
  const rest = (line: string | undefined) => line?.slice(8);
  return lines.filter(
    (line, n) => rest(line) !== rest(lines[n - 1]) || rest(line) !== rest(lines[n + 1]),
  );
}
