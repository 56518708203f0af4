import type { Constraints } from "../hubs/candidate.ts";
import type { TypeShortage } from "./fleet.ts";

/** Texts that say why an order can never be served, and what can be ordered instead. */

interface Said {
  /** The sort of hosts, such as `of type small`. */
  kind: string;
  where: Constraints;
  /** The number of hosts that the owner has already: the limit in the text is never below it. */
  atLeast?: number;
  /** The sets that the number sums up, such as `workers and gpu`. */
  sumOf?: string;
}

/** Such as `region west has 6 hosts of type small; order at most 6`. */
export function shortageText(
  { asked, most, total, regions, elsewhere }: TypeShortage,
  { kind, where, atLeast = 0, sumOf }: Said,
): string {
  const hosts = `hosts ${kind}${limits(where)}`;
  const advice =
    elsewhere.length > 0
      ? `order in another region: ${elsewhere.join(", ")}`
      : "order another type, or ask the provider for such hosts";
  const limit = `order at most ${Math.max(most, atLeast)}${sumOf === undefined ? "" : " in all"}`;
  if (most === 0) return `${noneIn(where)} ${hosts}; ${atLeast > 0 ? limit : advice}`;
  const has = `${placeOf(where, regions)} ${total} ${total === 1 ? hosts.replace("hosts", "host") : hosts}`;
  const onOne = total > most ? `, at most ${most} of them on one hub, where all have to be` : "";
  const sum = sumOf === undefined ? "" : `, and ${sumOf} ask for ${asked}`;
  return `${has}${onOne}${sum}; ${limit}`;
}

/** Such as `no hub in region west has 3 hosts of type small and 1 of type large`. */
export const apartText = (
  wanted: Iterable<[type: string, count: number]>,
  where: Constraints,
): string => {
  const all = [...wanted].map(
    ([type, count]) => `${count} ${count === 1 ? "host" : "hosts"} of type ${type}`,
  );
  const region = where.region === undefined ? "" : ` in region ${where.region}`;
  return `no hub${region}${limits(where).replace(" on hubs", "")} has ${all.join(" and ")}, and all have to be on one; order fewer, or in several orders`;
};

/** The order's conditions on its hub, without the region. */
function limits({ labels = {}, site }: Constraints): string {
  const named = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return `${named.length > 0 ? ` on hubs with ${named.join(", ")}` : ""}${site === undefined ? "" : " at the site of its network"}`;
}

const noneIn = ({ hub, region }: Constraints): string =>
  hub !== undefined
    ? "its hub has no"
    : region !== undefined
      ? `region ${region} has no`
      : "no region has";

function placeOf({ hub, region }: Constraints, regions: readonly string[]): string {
  if (hub !== undefined) return "its hub has";
  if (region !== undefined) return `region ${region} has`;
  if (regions.length === 0) return "there are";
  return regions.length === 1
    ? `region ${regions[0]} has`
    : `regions ${regions.slice(0, -1).join(", ")} and ${regions.at(-1)} have`;
}
