import { minutes } from "../../core/clock.ts";
import { isOpen, type Operation } from "../../core/kernel/saga/operation.ts";
import { type Counts, count, pattern } from "../counts.ts";

/** The outcomes of the orders, by their last create. */
export class Orders {
  /** The creates, by the cluster's id. */
  readonly #creates = new Map<string, Operation>();
  /** The resource that a create last waited for before it ended or turned back. */
  readonly #lastWaits = new Map<string, string>();

  see(operation: Operation): void {
    const { id, spec, revision, metadata } = operation;
    if (spec.saga !== "cluster-create") return;
    const known = this.#creates.get(spec.target.id);
    if (known?.id === id && known.revision >= revision) return;
    if (known && known.metadata.creation_timestamp > metadata.creation_timestamp) return;
    this.#creates.set(spec.target.id, operation);
    const waits = waitOf(operation);
    if (waits && !operation.unwinding) this.#lastWaits.set(id, waits);
  }

  /** The numbers of orders by outcome. */
  byOutcome(): Counts {
    const counts: Counts = {};
    for (const { id, status, failure } of this.#creates.values()) {
      const waited = this.#lastWaits.get(id) ?? "nothing";
      const ends: Partial<Record<Operation["status"]["state"], string>> = {
        SUCCEEDED: "READY",
        CANCELLED: `cancelled by the tenant while it waited for ${waited}`,
        FAILED: `failed: ${failure?.step}: ${pattern(failure?.message ?? "nothing says why")}`,
      };
      count(counts, ends[status.state] ?? `waits for ${waited}`);
    }
    return counts;
  }

  /** The orders that have failed. */
  get failed(): string[] {
    return this.#in("FAILED").map(({ id, failure }) => `${id}: ${failure?.message}`);
  }

  /** The running orders whose steps do not report a reason for waiting. */
  get silent(): string[] {
    return [...this.#creates.values()]
      .filter(({ status }) => ["PENDING", "RUNNING", "STUCK"].includes(status.state))
      .filter((operation) => waitOf(operation) === undefined)
      .map(
        ({ id, status }) => `order ${id} is ${status.state} but names nothing that it waits for`,
      );
  }

  /** The numbers of READY orders by the time that they waited for hosts. */
  waitedForHosts(): Counts {
    const counts: Counts = Object.fromEntries(steps.map(({ name }) => [name, 0]));
    for (const { steps: entries } of this.#in("SUCCEEDED")) {
      const { start_time, end_time } = entries.ReserveCapacity ?? {};
      const waited = Date.parse(end_time ?? "") - Date.parse(start_time ?? "");
      count(counts, steps.find(({ below }) => waited < below)?.name ?? "");
    }
    return counts;
  }

  #in(state: Operation["status"]["state"]): Operation[] {
    return [...this.#creates.values()].filter(({ status }) => status.state === state);
  }
}

const steps = [
  { name: "less than a minute", below: minutes(1) },
  { name: "less than ten minutes", below: minutes(10) },
  { name: "less than half an hour", below: minutes(30) },
  { name: "less than an hour", below: minutes(60) },
  { name: "less than two hours", below: minutes(120) },
  { name: "longer", below: Number.POSITIVE_INFINITY },
];

/** The reasons for which the open steps wait, in words; undefined if no step reports one. */
function waitOf({ steps, queued }: Operation): string | undefined {
  if (queued) return "an earlier operation of the same cluster";
  const waits = Object.values(steps)
    .filter(isOpen)
    .flatMap(({ message, blocked_by, system }) => {
      if (blocked_by) return [`a ${blocked_by.system} that does not answer`];
      return message === undefined ? [] : [`${system}: ${pattern(message)}`];
    });
  return waits[0];
}
