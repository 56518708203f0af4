import type { OperationState } from "../../../core/kernel/saga/operation.ts";
import type { Arrival } from "./arrivals.ts";
import type { End } from "./stage.ts";
import type { Leads } from "./way.ts";

/** How a case has to end: from the saga, the state, the way and what arrived. Pure. */

/** Where in which saga a case takes place. */
export interface Place {
  irreversible: boolean;
  /** The operation makes its target; there is none to go back to. */
  isCreate: boolean;
  /** What fails is held. */
  holds: boolean;
  state: string;
  isUndo: boolean;
  /** The step that fails so that the undo runs. */
  failing?: string;
  /** The states that are broken, as they run; one that is broken again after it was resumed stands twice. */
  broken: readonly string[];
}

export interface Ending {
  /** The states at which the operation is stuck, one after another, until a person resumes it. */
  stuckAt: readonly string[];
  operation: OperationState;
  /** The step that the operation failed in. */
  failedIn?: string;
  end: End;
}

/** The ends that a way may lead to: one, but where the system outside decides. */
export function endsOf(place: Place, leads: Leads): Ending[] {
  const { irreversible, holds, isUndo, state, failing, broken } = place;
  if (leads === "may fail") return [...endsOf(place, "on"), ...endsOf(place, "fails")];
  const stuckAt = leads === "fails" && (isUndo || irreversible) ? broken : [];
  if (isUndo)
    return [{ stuckAt, operation: "FAILED", ...(failing && { failedIn: failing }), end: "undone" }];
  if (irreversible) return [{ stuckAt, operation: "SUCCEEDED", end: "done" }];
  switch (leads) {
    case "on":
      return [{ stuckAt, operation: "SUCCEEDED", end: "done" }];
    case "cancelled":
      return [{ stuckAt, operation: "CANCELLED", end: "undone" }];
    case "fails":
      return [{ stuckAt, operation: "FAILED", failedIn: state, end: holds ? "held" : "undone" }];
  }
}

export interface Met {
  /** Whether the request is accepted. */
  isAccepted: boolean;
  /** The operation under test. */
  operation: OperationState;
  /** The operation that follows it; undefined where none does. */
  next?: OperationState;
  end: End;
}

/** What a request meets, and how the case ends then. */
export function endOf(place: Place, { request, moment }: Arrival): Met {
  const { irreversible, isCreate, isUndo } = place;
  const isStuck = moment === "when it is stuck" || moment === "as it is resumed";
  const turnsBack = isUndo || isStuck;
  if (irreversible)
    return { isAccepted: request === "a delete", operation: "SUCCEEDED", end: "done" };
  switch (request) {
    case "a cancel":
      return isStuck
        ? { isAccepted: false, operation: "FAILED", end: "undone" }
        : { isAccepted: true, operation: "CANCELLED", end: "undone" };
    case "a delete":
      return { isAccepted: true, operation: "CANCELLED", next: "SUCCEEDED", end: "gone" };
    case "a new wish":
      if (turnsBack && isCreate)
        return { isAccepted: true, operation: "FAILED", next: "CANCELLED", end: "undone" };
      return {
        isAccepted: true,
        operation: turnsBack ? "FAILED" : "SUCCEEDED",
        next: "SUCCEEDED",
        end: "wished",
      };
    case "the same again":
      return { isAccepted: true, operation: "FAILED", next: "SUCCEEDED", end: "done" };
  }
}
