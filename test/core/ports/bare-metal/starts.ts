import type { Machines } from "../../../../sim/bmc/machines.ts";

/** Answers how often the only one of these machines has been switched on since this was called. */
export function startsOf(machines: Machines): () => number {
  let starts = 0;
  let power = "Off";
  machines.watch((machine) => {
    if (machine.power === "PoweringOn" && power !== "PoweringOn") starts += 1;
    ({ power } = machine);
  });
  return () => starts;
}
