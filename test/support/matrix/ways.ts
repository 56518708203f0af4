import { AppError } from "../../../core/error.ts";
import { pending, zoneOfAction } from "../../../core/kernel/saga/saga.ts";
import { never, type Play, pastTime, type Watch, watching } from "./play.ts";
import type { AnyAction, State } from "./states.ts";
import { wireWays } from "./wire.ts";

/** Every way to break a state, by what of it is broken. */

type Act = NonNullable<AnyAction["act"]>;

/** What of a state is broken: the ways of one sort are much like each other. */
export const sorts = ["act", "time", "wait", "call", "wire"] as const;
export type Sort = (typeof sorts)[number];

/**
 * What a way leads to: the state ends well all the same; it fails for good; the system outside may
 * refuse; the operation is cancelled.
 */
export type Leads = "on" | "fails" | "may fail" | "cancelled";

export interface Way {
  sort: Sort;
  leads: Leads;
  /** The error that the state fails with. */
  kind?: "Rejected" | "DeadlineExceeded";
  /** It takes a day of the clock. */
  isLong?: true;
  /** Why a state cannot be broken so; undefined where it can. */
  never(state: State, irreversible: boolean): string | undefined;
  wrap(action: AnyAction, play: Play): AnyAction;
}

const refuse = (message = "broken on purpose"): never => {
  throw new AppError("Rejected", message);
};
const beAway = (): never => {
  throw new AppError("Unavailable", "away on purpose");
};

/** After the next attempt has begun. */
const overtaken = 15_000;

const lacks =
  (...members: ("act" | "look" | "until")[]) =>
  ({ action }: State): string | undefined => {
    const missing = members.find((member) => !action[member]);
    return missing && `the state has no ${missing}`;
  };

/** A way that breaks the act: gets the real one and the number of this call, from 1. */
const inAct = (
  leads: Leads,
  breakage: (act: Act, call: number, play: Play) => Act,
  more: Pick<Way, "isLong" | "kind"> & { sort?: Sort } = {},
): Way => ({
  sort: "act",
  leads,
  ...(leads === "fails" && { kind: "Rejected" }),
  ...more,
  never: lacks("act"),
  wrap(action, play) {
    let calls = 0;
    const { act = async () => {} } = action;
    return {
      ...action,
      act: (target, context) => {
        calls += 1;
        play.hasMet = true;
        return breakage(act, calls, play)(target, context);
      },
    };
  },
});

const inLook = (
  leads: Leads,
  breakage: (look: Act, call: number, play: Play) => Act,
  more: Pick<Way, "isLong" | "kind"> = {},
): Way => ({
  sort: "wait",
  leads,
  ...(leads === "fails" && { kind: "Rejected" }),
  ...more,
  never: lacks("look", "until"),
  wrap(action, play) {
    let calls = 0;
    const { look = async () => {} } = action;
    return {
      ...action,
      look: (target, context) => {
        calls += 1;
        play.hasMet = true;
        return breakage(look, calls, play)(target, context);
      },
    };
  },
});

/**
 * The worker of the first attempt dies after the first call (or write) of the act, that of the second
 * attempt after the second, and so on.
 */
const diesAfterEach = (what: "request" | "write"): Way => ({
  sort: "call",
  leads: "on",
  never: (state) =>
    lacks("act")(state) ??
    (what === "request" && zoneOfAction(state.action) === "core"
      ? "the state works on the store alone"
      : undefined),
  wrap(action, play) {
    let attempts = 0;
    const { act = async () => {} } = action;
    return {
      ...action,
      act(target, context) {
        attempts += 1;
        if (attempts > mostDeaths) return act(target, context);
        let left = attempts;
        const deadly = async <T>(effect: () => Promise<T>): Promise<T> => {
          left -= 1;
          if (left > 0) return effect();
          if (left < 0) return never;
          await effect();
          play.hasMet = true;
          play.die();
          return never;
        };
        const watch: Watch =
          what === "request" ? { request: (_, send) => deadly(send) } : { write: deadly };
        return watching(watch, () => act(target, context));
      },
    };
  },
});

/** After so many, the pauses between attempts come to more than the shortest deadlines. */
const mostDeaths = 8;

export const ways = {
  "refused before its effect": inAct("fails", (act, _, { isMended }) =>
    isMended ? act : () => refuse(),
  ),
  "refused after its effect": inAct("fails", (act, _, { isMended }) =>
    isMended
      ? act
      : async (target, context) => {
          await act(target, context);
          refuse();
        },
  ),
  "away before its effect, three times": inAct("on", (act, call) => (call <= 3 ? beAway : act)),
  "away after its effect": inAct("on", (act, call) =>
    call === 1
      ? async (target, context) => {
          await act(target, context);
          beAway();
        }
      : act,
  ),
  "death before its effect": inAct("on", (act, call, play) =>
    call === 1
      ? () => {
          play.die();
          return never;
        }
      : act,
  ),
  "death between effect and record": inAct("on", (act, call, play) =>
    call === 1
      ? async (target, context) => {
          await act(target, context);
          play.die();
          return never;
        }
      : act,
  ),
  "its effect made twice": inAct("on", (act) => async (target, context) => {
    await act(target, context);
    // The second time finds what the first has written.
    await act(await context.latest(), context);
  }),
  "away for more than a day": inAct("fails", (act, _, { isMended }) => (isMended ? act : beAway), {
    sort: "time",
    kind: "DeadlineExceeded",
    isLong: true,
  }),
  "an act that ends when its worker's time is over": inAct(
    "on",
    (act, call, play) =>
      call === 1
        ? async (target, context) => {
            await act(target, context);
            await play.sleep(pastTime);
          }
        : act,
    { sort: "time" },
  ),
  "an act that begins when its worker's time is over": inAct(
    "on",
    (act, call, play) =>
      call === 1
        ? async (target, context) => {
            await play.sleep(pastTime);
            await act(target, context);
          }
        : act,
    { sort: "time" },
  ),
  "two attempts, of which the first is refused in the end": inAct(
    "on",
    (act, call, play) =>
      call === 1
        ? async (target, context) => {
            play.die();
            await act(target, context);
            await play.sleep(overtaken);
            refuse("the answer of an attempt that was overtaken");
          }
        : act,
    { sort: "time" },
  ),
  "refused in a look": inLook("fails", (look, _, { isMended }) =>
    isMended ? look : () => refuse(),
  ),
  "away in a look": inLook("on", (look, call) => (call === 1 ? beAway : look)),
  "away in looks for more than a day": inLook(
    "fails",
    (look, _, { isMended }) => (isMended ? look : beAway),
    { kind: "DeadlineExceeded", isLong: true },
  ),
  "a look that ends when its worker's time is over": inLook("on", (look, call, play) =>
    call === 1
      ? async (target, context) => {
          await look(target, context);
          await play.sleep(pastTime);
        }
      : look,
  ),
  "refused when it decides": {
    sort: "wait",
    leads: "fails",
    kind: "Rejected",
    never: lacks("until"),
    wrap: ({ until, ...action }, play) => ({
      ...action,
      until: (target, context) => {
        play.hasMet = true;
        return play.isMended && until ? until(target, context) : refuse();
      },
    }),
  },
  "its deadline passes": {
    sort: "wait",
    leads: "fails",
    kind: "DeadlineExceeded",
    never: lacks("until"),
    wrap: ({ until, ...action }, play) => ({
      ...action,
      deadline: Math.min(action.deadline, longestWait),
      until: (target, context) => {
        play.hasMet = true;
        return play.isMended && until
          ? until(target, context)
          : pending("nothing that ever comes", lookAgain);
      },
    }),
  },
  "death after each of its calls": diesAfterEach("request"),
  "death after each of its writes": diesAfterEach("write"),
  ...wireWays,
} as const satisfies Record<string, Way>;

export type WayName = keyof typeof ways;
export const wayNames = Object.keys(ways) as WayName[];
export const wayOf = (name: WayName): Way => ways[name];

/** Deadlines of days are shortened to what a hosted cluster usually needs for an upgrade. */
const longestWait = 2 * 3_600_000;
const lookAgain = 60_000;
