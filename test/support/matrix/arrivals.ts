import { AppError } from "../../../core/error.ts";
import { pending } from "../../../core/kernel/saga/saga.ts";
import type { Sagas } from "../../../core/kernel/saga/settle.ts";
import type { Play } from "./play.ts";
import type { Change } from "./stage.ts";
import { type AnyAction, after, rewired, type State, sagaOf } from "./states.ts";
import { looking } from "./way.ts";
import { wayOf } from "./ways.ts";

/** Requests that arrive while a saga runs: what, and when. */

/** When a request arrives, by the state under test. */
export const moments = [
  "as it runs",
  "as it waits",
  "as its looks get no answer",
  "when it has succeeded",
  "when it is stuck",
  "as it is resumed",
  "when it has failed",
] as const;
export type Moment = (typeof moments)[number];

export const requests = ["a cancel", "a delete", "a new wish", "the same again"] as const;
export type RequestName = (typeof requests)[number];

export interface Arrival {
  request: RequestName;
  moment: Moment;
}

export const arrivals: Arrival[] = moments.flatMap((moment) =>
  requests.flatMap((request) =>
    (request === "the same again") === (moment === "when it has failed")
      ? [{ request, moment }]
      : [],
  ),
);

export const arrivalName = ({ request, moment }: Arrival): string => `${request} ${moment}`;

interface Place {
  state: State;
  irreversible: boolean;
  isLast: boolean;
  change: Change;
}

/** Why a request cannot arrive then; undefined where it can. */
export function neverArrives({ request, moment }: Arrival, place: Place): string | undefined {
  const { state, irreversible, isLast, change } = place;
  const never = change.never?.[request];
  if (never !== undefined) return never;
  switch (moment) {
    case "as it runs":
      return state.action.act ? undefined : "the state has no act";
    case "as it waits":
      return state.action.until ? undefined : "the state has no until";
    case "as its looks get no answer":
      return state.action.look && state.action.until ? undefined : "the state has no look";
    case "when it has succeeded":
      if (state.isUndo) return "after an undo the next undo runs: that moment has its own case";
      return isLast ? "nothing runs after the last step" : undefined;
    case "when it is stuck":
    case "as it is resumed":
      return state.isUndo || irreversible ? undefined : "a step that fails turns back";
    case "when it has failed":
      if (state.isUndo || irreversible) return "an undo or a deletion that fails is stuck";
      if (change.again !== true) return change.again;
      return isLast ? change.notAfterLast : undefined;
  }
}

/** Holds a saga at the moment until the request has arrived. */
export class Gate {
  #open = () => {};
  readonly #opened = new Promise<void>((resolve) => {
    this.#open = resolve;
  });
  isOpen = false;
  /** The action has begun and is held. */
  isReached = false;

  open(): void {
    this.isOpen = true;
    this.#open();
  }

  /** An action that does nothing for good before the gate is open. */
  hold(action: AnyAction): AnyAction {
    const { act, until } = action;
    if (act)
      return {
        ...action,
        act: async (target, context) => {
          this.isReached = true;
          await this.#opened;
          await act(target, context);
        },
      };
    return {
      ...action,
      until: (target, context) =>
        this.isOpen && until ? until(target, context) : pending("the request to arrive", 1000),
    };
  }

  /** An action whose system does not answer its looks before the gate is open. */
  silence(action: AnyAction): AnyAction {
    const { look } = action;
    return {
      ...looking(action),
      look: async (target, context) => {
        if (this.isOpen) return look?.(target, context);
        this.isReached = true;
        throw new AppError("Unavailable", "away on purpose");
      },
    };
  }

  /** An action that waits until the gate is open. */
  wait(action: AnyAction): AnyAction {
    const { until } = action;
    return {
      ...action,
      until: (target, context) =>
        this.isOpen && until ? until(target, context) : pending("the request to arrive", 20_000),
    };
  }
}

/** The sagas as they have to be for a request to arrive at that moment. */
export function expecting(
  sagas: Sagas,
  name: string,
  { arrival, state, gate, play }: { arrival: Arrival; state: State; gate: Gate; play: Play },
): Sagas {
  const at = (change: (action: AnyAction) => AnyAction): Sagas =>
    rewired(sagas, name, (each, action) => (each === state.name ? change(action) : action));
  switch (arrival.moment) {
    case "as it runs":
      return at((action) => gate.hold(action));
    case "as it waits":
      return at((action) => gate.wait(action));
    case "as its looks get no answer":
      return at((action) => gate.silence(action));
    case "when it has succeeded": {
      const next = after(sagaOf(sagas, name), state.step);
      return rewired(sagas, name, (each, action) =>
        next.includes(each) ? gate.hold(action) : action,
      );
    }
    case "when it is stuck":
    case "as it is resumed":
    case "when it has failed": {
      const way = wayOf(state.action.act ? "refused after its effect" : "refused when it decides");
      return at((action) => way.wrap(action, play));
    }
  }
}
