import { timestamp } from "../../clock.ts";
import { dropTicket, dropTickets } from "../claim/ticket.ts";
import type { Deps } from "../deps.ts";
import { withLastEvent } from "../events/outbox.ts";
import { written } from "../events/rewrite.ts";
import type { Failure } from "../object/failure.ts";
import { archive, load, mustLoad } from "../object/records.ts";
import { type OperatedKind, unstuck } from "../object/traits.ts";
import type { Write } from "../store/store.ts";
import { mayStillLand } from "./leases.ts";
import type { OperatedDeps } from "./operated.ts";
import { type Operating, operatingOf, type Target } from "./operated.ts";
import type { Operation } from "./operation.ts";
import { type Shape, stepsOf, undoName } from "./saga.ts";

/**
 * The writes that end an operation, in one transaction: its state, the change of its target, the removal of its
 * tickets, and the start of the operation that was queued behind it.
 */
export async function endWrites(
  deps: OperatedDeps,
  saga: Shape,
  before: Operation,
  operation: Operation,
  failure?: Failure,
): Promise<Write[]> {
  const now = deps.clock.now();
  const recorded = failure && {
    ...failure,
    given_back: failure.given_back ?? isReleased(saga, operation),
  };
  const ended: Operation = {
    ...operation,
    status: {
      ...operation.status,
      state: recorded ? (operation.cancel ? "CANCELLED" : "FAILED") : "SUCCEEDED",
      end_time: timestamp(now),
      ...(recorded ? { failure: recorded } : {}),
    },
  };
  const { writes } = written(deps, before, ended);

  const { kind, id } = operation.spec.target;
  const operating = operatingOf(deps, kind);
  const target = await load(deps, kind, id);
  if (target)
    writes.push(...(await leaveQueues(deps, operation, operating.queues?.(target) ?? [])));
  // The target has another operation or none, so it is not changed.
  if (target?.operation !== operation.id) return writes;
  const after = operating.ended(unstuck(target), {
    saga: saga.name,
    at: timestamp(now),
    ...(recorded && { failure: recorded }),
    cancelled: operation.cancel !== undefined,
  });
  if (after === "archive") {
    writes.push(
      ...archive(deps.kinds, withLastEvent(target, now), now),
      ...(operating.archived?.(target, deps) ?? []),
    );
    return writes;
  }

  const { queued } = target;
  if (queued === undefined) {
    writes.push(...targetWrites(deps, operating, target, after));
    return writes;
  }
  const next = await mustLoad(deps, "operation", queued);
  const isMoot = operation.spec.change === "CREATE" && next.spec.change === "UPDATE";
  const [object, follower] =
    failure && isMoot
      ? [operating.unmade?.(after, target) ?? after, withoutTarget(next, failure, now)]
      : [operating.started(after, queued), { ...next, queued: false }];
  writes.push(
    ...targetWrites(deps, operating, target, object),
    ...written(deps, next, follower).writes,
  );
  return writes;
}

/**
 * An ended operation waits for nothing, so its tickets are dropped. An attempt of an execution that was cut off may
 * still take a ticket at this moment: then the queues' tickets are dropped without reading which exist.
 */
async function leaveQueues(
  deps: Deps,
  operation: Operation,
  queues: readonly string[],
): Promise<Write[]> {
  const mayTake = Object.values(operation.steps).some((entry) => mayStillLand(deps, entry));
  return mayTake
    ? queues.map((name) => dropTicket(name, operation))
    : dropTickets(deps.store, queues, operation);
}

/**
 * Whether all necessary undos are done: those of each step that has begun, or may have begun in an adopted earlier
 * operation. A hold, a cut-off execution or a deletion leaves undos open.
 */
export function isReleased({ nodes, irreversible }: Shape, { steps, adopts }: Operation): boolean {
  if (irreversible) return false;
  return stepsOf(nodes).every(({ name, undo }) => {
    const begun = adopts || undo?.fromOrder || (steps[name]?.attempts ?? 0) > 0;
    return !undo || !begun || steps[undoName(name)]?.state === "SUCCEEDED";
  });
}

/** The writes of a target after an operation, with further ones such as the release of quotas. */
export function targetWrites(
  deps: Pick<Deps, "kinds" | "clock">,
  operating: Operating<OperatedKind>,
  before: Target,
  after: Target,
): Write[] {
  const { target, writes } = operating.settled?.(before, after) ?? { target: after, writes: [] };
  return [...written(deps, before, target).writes, ...writes];
}

/** Ends a queued change whose target was not created. The target's spec keeps the desired values, for a retry. */
function withoutTarget(operation: Operation, { step }: Failure, now: number): Operation {
  const what = operation.spec.target.kind.replaceAll("_", " ");
  return {
    ...operation,
    queued: false,
    status: {
      ...operation.status,
      state: "CANCELLED",
      end_time: timestamp(now),
      failure: {
        step,
        kind: "Cancelled",
        message: `the ${what} was not created`,
        given_back: true,
      },
    },
  };
}
