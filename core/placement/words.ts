import type { RejectedHub } from "../resources/cluster/model.ts";
import { type Candidate, couldServe, mismatch, type Needs, type Wish } from "./choose.ts";
import { hostClass, hubClass, placesCounted, slotClass } from "./tickets.ts";

/** What a waiting order says it waits for. */

/** A class, for people. */
export function named(scarce: string): string {
  if (scarce === hubClass) return "a hub";
  if (scarce === slotClass) return "a control-plane slot";
  return scarce.replace("host:", "hosts of type ");
}

const hosts = (count: number, type: string): string =>
  `${count} ${count === 1 ? "host" : "hosts"} of type ${type}`;

export interface Waiting {
  wish: Wish;
  needs: Needs;
  /** Hosts that it lacks, by type. */
  lacking: ReadonlyMap<string, number>;
  short: ReadonlySet<string>;
  rejected: RejectedHub[];
  everyone: Candidate[];
  /** Undefined where it stands in no line. */
  position: number | undefined;
}

export function waitingFor(waiting: Waiting): string {
  const { short, lacking, everyone, rejected } = waiting;
  const types = new Map([...lacking].map(([type, count]) => [hostClass(type), { type, count }]));
  const what = [...short].map((scarce) => {
    const wanted = types.get(scarce);
    return wanted ? hosts(wanted.count, wanted.type) : named(scarce);
  });
  const because = [
    ...tooFew(waiting),
    ...placeOf(waiting.position),
    ...(everyone.length === 0 ? ["no hub is registered"] : inShort(rejected)),
  ];
  return what.join(" and ") + (because.length > 0 ? ` (${because.join("; ")})` : "");
}

/** That no hub it may use has as many hosts as it needs, if so. */
function tooFew({ wish, needs, everyone }: Waiting): string[] {
  const usable = everyone.filter(({ hub }) => mismatch(hub, wish) === undefined);
  if (usable.length === 0 || usable.some((each) => couldServe(each, { wish, needs }))) return [];
  const everywhere = usable.length === everyone.length ? "no hub" : "no hub that it may use";
  const short = Object.entries(needs).flatMap(([type, count]) => {
    const most = Math.max(...usable.map((each) => each.hosts[type] ?? 0));
    if (most >= count) return [];
    if (wish.hub !== undefined) return [`its hub has ${hosts(most, type)} in all`];
    return [
      `${everywhere} has ${most === 0 ? `hosts of type ${type}` : `more than ${hosts(most, type)}`}`,
    ];
  });
  return short.length > 0 ? short : [`${everywhere} has enough hosts of every type`];
}

export function placeOf(position: number | undefined): string[] {
  if (position === undefined) return [];
  if (position > placesCounted) return [`more than ${placesCounted} are before it`];
  return [`place ${position} in line`];
}

/** Why no hub would do, without their names: which hubs the provider has is not the tenant's business. */
function inShort(rejected: RejectedHub[]): string[] {
  const hubs = Map.groupBy(rejected, ({ reason }) => reason);
  return [...hubs]
    .slice(0, 5)
    .map(([reason, { length }]) => `${length === 1 ? "one hub" : `${length} hubs`}: ${reason}`);
}
