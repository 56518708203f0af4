import { hours, minutes } from "../../core/clock.ts";
import { type Chance, chance, type Weights } from "../chance.ts";
import type { Sort } from "./hardware.ts";

/** The life of a tenant's server, drawn for each order from a number of its own. */

export type ServerChange =
  | "restart"
  | "halt"
  | "run"
  | "groups"
  | "networks"
  | "reinstall"
  | "retry"
  | "cancel"
  | "delete"
  | "release with an issue"
  | "remove by force"
  | "consent to a repair";

/** The provider's requests for a tenant's host. */
export type HostWish = "maintain" | "release" | "reprovision";

/** The provider's changes of an allocation. */
export type AllocationChange = "resize" | "delete";

/** The changes of a server's own network. */
export type NetworkChange = "order its subnet" | "delete its subnet" | "delete its network";

/** Temporary trouble of one machine; `trouble.ts` describes it. */
export const machineTroubles = [
  "a DPU is silent",
  "a DPU reports no applied version",
  "a DPU is unreachable, and so is its controller",
  "a controller is slow",
  "a controller is unreachable",
  "a wrong image boots",
  "an image cannot be written",
  "DHCP does not answer",
  "phone home does not come",
  "an erasure fails",
  "links name another authority",
  "tasks are not named",
  "another server is at its address",
  "two cables are swapped",
  "a mainboard is replaced",
] as const;
export type MachineTrouble = (typeof machineTroubles)[number];

export type ServerArrival = { at: number; order: number; draw: number } & (
  | { what: "own network"; tenant: string; sort: Sort }
  | {
      what: "server";
      tenant: string;
      sort: Sort;
      hasOwnNetwork: boolean;
      /** Whether the server is ordered with an external IP. */
      isOutside: boolean;
    }
  | { what: "server change"; change: ServerChange }
  | { what: "host maintenance"; wish: HostWish }
  | { what: "network change"; change: NetworkChange }
  | { what: "allocation"; tenant: string; sort: Sort; reserved: number }
  | { what: "allocation change"; change: AllocationChange }
  | { what: "machine trouble"; trouble: MachineTrouble }
);

interface One {
  order: number;
  at: number;
  tenant: string;
  /** The probability of trouble in one life. */
  trouble: number;
  /** Whether the server may have a network of its own. */
  mayOwn: boolean;
  random: () => number;
}

/** One server in so many has an external IP. */
const oneIsOutside = 3;
/** One server in so many has the DPUs of its host installed anew, and one in so many has its host repaired. */
const oneIsRepaired = 4;
const oneIsMaintained = 8;
/** How a server's life ends. */
const ends: Weights<ServerChange> = {
  delete: 6,
  "release with an issue": 1,
  "remove by force": 1,
};
/** One server in so many has its own network, created and deleted with it. */
const oneOwns = 6;

const changes: Weights<ServerChange> = {
  restart: 3,
  groups: 3,
  networks: 3,
  halt: 1,
  run: 1,
  reinstall: 2,
};

export function lifeOf({ order, at, tenant, trouble, mayOwn, random }: One): ServerArrival[] {
  const draws = chance(random);
  const { below, oneIn, pick, weighed } = draws;
  const draw = () => below(2 ** 31);
  const lives = livesFor(draws);
  const change = (after: number, change: ServerChange): ServerArrival => ({
    ...{ what: "server change", change, order, draw: draw(), at: at + after },
  });
  const networkChange = (after: number, change: NetworkChange): ServerArrival => ({
    ...{ what: "network change", change, order, draw: draw(), at: at + after },
  });
  const hostWish = (after: number, wish: HostWish): ServerArrival => ({
    ...{ what: "host maintenance", wish, order, draw: draw(), at: at + after },
  });
  const sort: Sort = pick(["plain", "withDpus", "withDpus"]);
  const hasOwnNetwork = oneIn(oneOwns) && mayOwn;
  const isOutside = oneIn(oneIsOutside);
  const changed = Array.from({ length: below(3) }, () => change(below(lives), weighed(changes)));
  const begins = hasOwnNetwork ? minutes(8) : 0;
  const own: ServerArrival[] = hasOwnNetwork
    ? [
        { what: "own network", tenant, sort, order, at, draw: draw() },
        networkChange(minutes(4), "order its subnet"),
        networkChange(lives + hours(2), "delete its subnet"),
        networkChange(lives + hours(3), "delete its network"),
      ]
    : [];
  const wished = (): ServerArrival[] => {
    const [repaired, maintained] = [below(lives), below(lives)];
    return [
      ...(oneIn(oneIsRepaired)
        ? [hostWish(repaired, "reprovision"), change(repaired + minutes(5), "consent to a repair")]
        : []),
      ...(oneIn(oneIsMaintained)
        ? [hostWish(maintained, "maintain"), hostWish(maintained + hours(2), "release")]
        : []),
    ];
  };
  const troubled = (): ServerArrival => ({
    ...{ what: "machine trouble", trouble: pick(machineTroubles) },
    ...{ order, at: at + below(lives + hours(1)), draw: draw() },
  });
  return [
    ...own,
    {
      ...{ what: "server", tenant, sort, hasOwnNetwork, isOutside },
      ...{ order, at: at + begins, draw: draw() },
    },
    ...changed,
    ...(oneIn(8) ? [change(begins + below(minutes(30)), "cancel")] : []),
    ...(oneIn(6) ? [change(begins + minutes(20) + below(lives), "retry")] : []),
    ...wished(),
    change(begins + lives, weighed(ends)),
    ...(random() < trouble ? [troubled()] : []),
  ];
}

/** For one server in so many, the provider reserves hosts for the tenant. */
const oneIsReserved = 4;
export const mostReserved = 3;

/** An allocation some time before a server's order, for longer than most servers live. */
export function allocationBeside({
  order,
  at,
  tenant,
  random,
}: Pick<One, "order" | "at" | "tenant" | "random">): ServerArrival[] {
  const { below, oneIn, pick } = chance(random);
  if (!oneIn(oneIsReserved)) return [];
  const from = Math.max(0, at - below(minutes(30)));
  const lasts = minutes(30) + below(hours(4));
  const sort: Sort = pick(["plain", "withDpus", "withDpus"]);
  const common = () => ({ order, draw: below(2 ** 31) });
  const change = (after: number, change: AllocationChange): ServerArrival => ({
    ...{ what: "allocation change", change, at: from + after, ...common() },
  });
  return [
    { what: "allocation", tenant, sort, reserved: 1 + below(mostReserved), at: from, ...common() },
    ...(oneIn(2) ? [change(below(lasts), "resize")] : []),
    change(lasts, "delete"),
  ];
}

/** The time until the tenant deletes a server; sometimes during its creation. */
const livesFor = ({ below, oneIn }: Chance): number =>
  oneIn(6) ? below(minutes(20)) : minutes(20) + below(minutes(60));
