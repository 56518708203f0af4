import { byPattern, shown, table } from "../tables.ts";
import type { ServersOutcome } from "./run.ts";

/** The final report of a simulation of servers. */
export function reportOfServers(outcome: ServersOutcome): string[] {
  const { lives, searches, dead, reasons, repairs, moments, arrived, cameIn, taken } = outcome;
  const { unwiped, crossed, touched, notKept, wrong } = outcome;
  return [
    table("dead DPUs", dead),
    table("hosts quarantined because of", reasons, shown),
    table("what was done for them", repairs),
    table("given unwiped", byPattern(unwiped)),
    table("packets that crossed", byPattern(crossed), shown),
    table("servers of others that were touched", byPattern(touched)),
    table("kept hosts that were not kept", byPattern(notKept)),
    table("hosts that did not end as they should", byPattern(wrong)),
    ...[...unwiped, ...crossed, ...touched, ...notKept, ...wrong].slice(0, 5),
    `lives ${lives}, servers ordered to find dead DPUs ${searches}, unwiped ${unwiped.length}, packets that crossed ${crossed.length}, servers of others touched ${touched.length}; ${arrived} arrived where they may, and ${cameIn} from outside, in ${moments} moments that were looked at`,
    `hosts that went to those for whom they were kept ${taken}`,
  ];
}
