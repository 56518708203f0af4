import { zoneOfAction } from "../../../core/kernel/saga/saga.ts";
import { pastTime } from "../worker-time.ts";
import { type Play, type Watch, watching } from "./play.ts";
import type { Fault } from "./stage.ts";
import type { AnyAction, State } from "./states.ts";
import { type Leads, looking, refuse, turnsBack, type Way } from "./way.ts";

/** Trouble between a state and the systems outside: on its acts, and on its looks. */

interface Call {
  play: Play;
  request: Request;
  send: () => Promise<Response>;
  /** The first request at all, and the first that is to change something outside. */
  isFirst: boolean;
  isChange: boolean;
  isFirstChange: boolean;
}

type Trouble = (call: Call) => Promise<Response>;

const faulty = ({ play, request, send }: Call, fault: Fault): Promise<Response> =>
  play.stage.withFault(fault, request, send);

/** The first change meets this; all else passes. */
const onFirstChange =
  (trouble: Trouble): Trouble =>
  (call) => {
    if (!call.isFirstChange) return call.send();
    call.play.hasMet = true;
    return trouble(call);
  };

const restless: Trouble = (call) => {
  if (call.isFirst) {
    call.play.hasMet = true;
    return faulty(call, { fault: "error", status: 429 });
  }
  return call.isFirstChange ? faulty(call, { fault: "crash_after" }) : call.send();
};

/** Until somebody mends what is in the way. */
const conflicts: Trouble = (call) => {
  if (!call.isChange || call.play.isMended) return call.send();
  call.play.hasMet = true;
  return faulty(call, { fault: "conflict" });
};

const conflict = onFirstChange((call) => faulty(call, { fault: "conflict" }));

const landsLate = onFirstChange(async ({ play, send }) => {
  await play.sleep(pastTime);
  return send();
});

const landsAfterCancel = onFirstChange(async ({ play, send }) => {
  const newest = await play.stage.newest();
  if (newest) await play.stage.cancel(newest.id);
  await play.sleep(pastTime);
  return send();
});

/** Sees the requests of every act and look of one case. */
function watchFor(trouble: Trouble, play: Play): Watch {
  let requests = 0;
  let changes = 0;
  return {
    request(request, send) {
      const isFirst = requests++ === 0;
      const isChange = request.method !== "GET";
      const isFirstChange = isChange && changes === 0;
      // One that is throttled is not done; the next is the first.
      if (isChange && !(trouble === restless && isFirst)) changes += 1;
      return trouble({ play, request, send, isFirst, isChange, isFirstChange });
    },
  };
}

function troubled(action: AnyAction, parts: readonly ("act" | "look")[], watch: Watch): AnyAction {
  const wrapped = parts.includes("act") ? { ...action } : looking(action);
  for (const part of parts) {
    const real = action[part];
    if (real) wrapped[part] = (target, context) => watching(watch, () => real(target, context));
  }
  return wrapped;
}

/** Why there is nothing to trouble, from the table alone. */
const silent = ({ action }: State, parts: readonly ("act" | "look")[], changes: boolean) => {
  if (zoneOfAction(action) === "core") return "the state works on the store alone";
  if (changes && action.effects === "none") return "the state only looks outside";
  if (parts.every((part) => !action[part])) return `the state has no ${parts.join(" and no ")}`;
  return undefined;
};

const onWire = (leads: Leads, trouble: Trouble, ...parts: ("act" | "look")[]): Way => ({
  sort: "wire",
  leads,
  ...(leads === "may fail" && { kind: "Rejected" }),
  never(state, irreversible) {
    if (leads === "cancelled" && state.isUndo) return "a saga that turns back is cancelled already";
    if (leads === "cancelled" && irreversible) return "an irreversible saga is not cancelled";
    return silent(state, parts, trouble !== restless);
  },
  wrap: (action, play) => troubled(action, parts, watchFor(trouble, play)),
});

export const wireWays = {
  "delivered twice, throttled, an answer lost, dead before it is told": {
    ...onWire("on", restless, "act", "look"),
    never: () => undefined,
    wrap(action, play) {
      play.isRestless = true;
      play.hasMet = true;
      return troubled(action, ["act", "look"], watchFor(restless, play));
    },
  },
  "refused, and once it is resumed an effect that lands when its worker is gone": {
    ...onWire("fails", landsLate, "act"),
    kind: "Rejected",
    never: (state, irreversible) => turnsBack(state, irreversible) ?? silent(state, ["act"], true),
    wrap(action, play) {
      const late = troubled(action, ["act"], watchFor(landsLate, play));
      return {
        ...action,
        act: async (target, context) => {
          play.hasMet = true;
          return play.isMended ? late.act?.(target, context) : refuse();
        },
      };
    },
  },
  "a conflict each time for more than a day": {
    sort: "time",
    leads: "may fail",
    isLong: true,
    never: (state) => silent(state, ["act"], true),
    wrap: (action, play) => troubled(action, ["act"], watchFor(conflicts, play)),
  },
  "a conflict": onWire("may fail", conflict, "act"),
  "an effect that lands when its worker is gone": onWire("on", landsLate, "act"),
  "an effect that lands after its order was cancelled": onWire(
    "cancelled",
    landsAfterCancel,
    "act",
  ),
  "throttled in a look, an answer lost": onWire("on", restless, "look"),
  "a conflict in a look": onWire("may fail", conflict, "look"),
  "an effect of a look that lands when its worker is gone": onWire("on", landsLate, "look"),
  "an effect of a look that lands after its order was cancelled": onWire(
    "cancelled",
    landsAfterCancel,
    "look",
  ),
} as const satisfies Record<string, Way>;
