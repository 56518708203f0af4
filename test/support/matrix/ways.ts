import { done, pending, zoneOfAction } from "../../../core/kernel/saga/saga.ts";
import { pastTime } from "../worker-time.ts";
import { never, type Play, type Watch, watching } from "./play.ts";
import { type Act, beAway, inAct, inLook, lacks, refuse, turnsBack, type Way } from "./way.ts";
import { wireWays } from "./wire.ts";

/** Every way to break a state, by what of it is broken. */

/** After the next attempt has begun. */
const overtaken = 15_000;

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
          void play.die();
          return never;
        };
        const watch: Watch =
          what === "request" ? { request: (_, send) => deadly(send) } : { write: deadly };
        return watching(watch, () => act(target, context));
      },
    };
  },
});

const refusedAfter =
  (act: Act, _: number, { isMended, neighbour }: Play): Act =>
  async (target, context) => {
    await act(target, context);
    if (!isMended && target.id !== neighbour) refuse();
  };

/** After so many, the pauses between attempts come to more than the shortest deadlines. */
const mostDeaths = 8;

export const ways = {
  "refused before its effect": inAct("fails", (act, _, { isMended }) =>
    isMended ? act : () => refuse(),
  ),
  "refused after its effect": inAct("fails", refusedAfter),
  "refused before its effect, and again after it was resumed": {
    ...inAct("fails", (act, _, { isMended }) => (isMended ? act : () => refuse())),
    resumes: 2,
    never: (state, irreversible) => lacks("act")(state) ?? turnsBack(state, irreversible),
  },
  "refused after its effect, as what comes next is": {
    ...inAct("fails", refusedAfter),
    breaksNext: true,
    never: (state, irreversible) => lacks("act")(state) ?? turnsBack(state, irreversible),
  },
  "refused after its effect, while a neighbour is made": {
    ...inAct("fails", refusedAfter),
    withNeighbour: true,
  },
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
          void play.die();
          return never;
        }
      : act,
  ),
  "death between effect and record": inAct("on", (act, call, play) =>
    call === 1
      ? async (target, context) => {
          await act(target, context);
          void play.die();
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
  "its systems away for a quarter of an hour from its begin": {
    sort: "time",
    leads: "on",
    never: ({ action }) =>
      zoneOfAction(action) === "core" ? "the state works on the store alone" : undefined,
    wrap(action, play) {
      const { act, until } = action;
      const begin = () => play.loseSystems(15 * 60_000);
      return {
        ...action,
        ...(act && {
          act(target, context) {
            begin();
            return act(target, context);
          },
        }),
        ...(!act &&
          until && {
            until(target, context) {
              begin();
              return until(target, context);
            },
          }),
      };
    },
  },
  "two attempts, of which the first is refused in the end": inAct(
    "on",
    (act, call, play) =>
      call === 1
        ? async (target, context) => {
            await play.die();
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
  "no news come once it waits": {
    sort: "wait",
    leads: "on",
    never: lacks("until"),
    wrap: ({ until, ...action }, play) => ({
      ...action,
      until(target, context) {
        play.hasMet = true;
        play.hasNews = false;
        return until ? until(target, context) : done;
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
