import { AppError } from "../../../core/error.ts";
import type { Play } from "./play.ts";
import type { AnyAction, State } from "./states.ts";

/** What a way to break a state is, and how most ways are made. */

/** What an action does. */
export type Act = NonNullable<AnyAction["act"]>;

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
  /** How often it has to be resumed before it works; once unless told. */
  resumes?: number;
  /** What gets stuck next is broken in the same way. */
  breaksNext?: true;
  /** Another target is made meanwhile. */
  withNeighbour?: true;
  /** Why a state cannot be broken so; undefined where it can. */
  never(state: State, irreversible: boolean): string | undefined;
  wrap(action: AnyAction, play: Play): AnyAction;
}

export const refuse = (message = "broken on purpose"): never => {
  throw new AppError("Rejected", message);
};
export const beAway = (): never => {
  throw new AppError("Unavailable", "away on purpose");
};

export const lacks =
  (...members: ("act" | "look" | "until")[]) =>
  ({ action }: State): string | undefined => {
    const missing = members.find((member) => !action[member]);
    return missing && `the state has no ${missing}`;
  };

export const turnsBack = ({ isUndo }: State, irreversible: boolean): string | undefined =>
  isUndo || irreversible ? undefined : "a step that fails turns back";

/** The action with a look right after its act: one that is done at once would not look, and not meet what breaks its look. */
export const looking = ({ looksLater: _, ...action }: AnyAction): AnyAction => action;

type Breakage = (real: Act, call: number, play: Play) => Act;
type More = Pick<Way, "isLong" | "kind"> & { sort?: Sort };

/** Makes ways that break one member of a step: a breakage gets the real one and the number of this call, from 1. */
const inMember =
  (member: "act" | "look", of: Pick<Way, "sort" | "never">) =>
  (leads: Leads, breakage: Breakage, more: More = {}): Way => ({
    leads,
    ...(leads === "fails" && { kind: "Rejected" }),
    ...of,
    ...more,
    wrap(action, play) {
      let calls = 0;
      const real = action[member] ?? (async () => {});
      return {
        ...(member === "look" ? looking(action) : action),
        [member]: ((target, context) => {
          calls += 1;
          play.hasMet = true;
          return breakage(real, calls, play)(target, context);
        }) satisfies Act,
      };
    },
  });

export const inAct = inMember("act", { sort: "act", never: lacks("act") });
export const inLook = inMember("look", { sort: "wait", never: lacks("look", "until") });
