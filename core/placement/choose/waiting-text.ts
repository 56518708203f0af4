import type { RejectedHub } from "../../kernel/object/traits.ts";
import {
  type Candidate,
  type Constraints,
  couldServe,
  hostsFor,
  mismatch,
  type Needs,
} from "../hubs/candidate.ts";
import type { UnreadHubs } from "../hubs/hubs-with-room.ts";
import { hostQueue, hubQueue, positionsCounted, slotQueue } from "../queues/tickets.ts";

/** Texts about the waits of orders. */

/** The purpose of a queue, in words for people. */
export function queueText(queueName: string): string {
  if (queueName === hubQueue) return "a hub";
  if (queueName === slotQueue) return "a control-plane slot";
  return queueName.replace("host:", "hosts of type ");
}

const hosts = (count: number, type: string): string =>
  `${count} ${count === 1 ? "host" : "hosts"} of type ${type}`;

/** The number of free hosts on a hub, of the types that an owner lacks, in words. */
export const freeInWords = (type: string, { free, count }: { free: number; count: number }) =>
  `${free} of ${count} ${type} hosts free`;

/**
 * The number of hosts of a type that the hub lacks, read from a text of `freeInWords`; undefined if the text
 * does not name the type.
 */
export function lackingByWords(reason: string, type: string): number | undefined {
  for (const [, free, count, of] of reason.matchAll(/(\d+) of (\d+) (\S+) hosts free/g))
    if (of === type) return Number(count) - Number(free);
  return undefined;
}

export interface WaitingOrder {
  where: Constraints;
  needs: Needs;
  /** The hosts that the owner lacks, by type. */
  lacking: ReadonlyMap<string, number>;
  /** The queues of scarce things. */
  scarce: ReadonlySet<string>;
  rejected: RejectedHub[];
  /** The hubs that were read. */
  read: Candidate[];
  /** The hubs that were not read; undefined where all relevant ones were. */
  others: UnreadHubs | undefined;
  /** The position in the queue; undefined for an operation without one. */
  position: number | undefined;
}

export function waitingFor(waiting: WaitingOrder): string {
  const { scarce, lacking, read, others, rejected } = waiting;
  const types = new Map([...lacking].map(([type, count]) => [hostQueue(type), { type, count }]));
  const what = [...scarce].map((queueName) => {
    const wanted = types.get(queueName);
    return wanted ? hosts(wanted.count, wanted.type) : queueText(queueName);
  });
  const because = [
    ...tooFew(waiting),
    ...positionText(waiting.position),
    ...(read.length === 0 && !others ? ["no hub is registered"] : inShort(rejected)),
    ...(others ? unread(others) : []),
  ];
  return what.join(" and ") + (because.length > 0 ? ` (${because.join("; ")})` : "");
}

/** A text about the hubs that were not read. */
const unread = ({ count, walked }: UnreadHubs): string[] =>
  count > 0 ? [`${count} other hubs: ${walked ? "not checked yet" : "cannot serve it now"}`] : [];

/** A text if no hub of the owner has as many hosts as it needs; only if all hubs were read. */
function tooFew({ where, needs, read, others }: WaitingOrder): string[] {
  if (others) return [];
  const usable = read.filter(({ hub }) => mismatch(hub, where) === undefined);
  if (usable.length === 0 || usable.some((each) => couldServe(each, { where, needs }))) return [];
  const everywhere = usable.length === read.length ? "no hub" : "no hub that it may use";
  const scarce = Object.entries(needs).flatMap(([type, count]) => {
    const most = Math.max(...usable.map((each) => hostsFor(each, type, where.tenant)));
    if (most >= count) return [];
    if (where.hub !== undefined) return [`its hub has ${hosts(most, type)} in all`];
    return [
      `${everywhere} has ${most === 0 ? `hosts of type ${type}` : `more than ${hosts(most, type)}`}`,
    ];
  });
  return scarce.length > 0 ? scarce : [`${everywhere} has enough hosts of every type`];
}

export function positionText(position: number | undefined): string[] {
  if (position === undefined) return [];
  if (position > positionsCounted) return [`more than ${positionsCounted} orders are ahead of it`];
  return [`position ${position} in the queue`];
}

/** Why no hub fits, without names of hubs: tenants must not learn which hubs the provider has. */
function inShort(rejected: RejectedHub[]): string[] {
  const hubs = Map.groupBy(rejected, ({ reason }) => reason);
  return [...hubs]
    .slice(0, 5)
    .map(([reason, { length }]) => `${length === 1 ? "one hub" : `${length} hubs`}: ${reason}`);
}
