import type { Clock } from "../core/clock.ts";
import { objectIn } from "../core/kernel/object/records.ts";
import { isEnded, isOpen, type Operation, type StepEntry } from "../core/kernel/saga/operation.ts";
import type { StreamRecord, Write } from "../core/kernel/store/store.ts";
import { kinds } from "../core/resources/generated/kinds.ts";
import { type Counts, count, pattern } from "./counts.ts";
import type { DeadHosts } from "./dead-hosts.ts";
import { late } from "./deadlines.ts";
import type { Refusals } from "./refusals.ts";
import type { Ground } from "./slipway.ts";
import type { Trace } from "./trace.ts";

/** A stuck operation. */
export interface Stuck {
  id: string;
  tenant: string;
  /** The undo that failed, and the reason. */
  why: string;
  /** Whether an injected fault is the reason. */
  isExpected: boolean;
  /** The id of a server that waits for a host that never becomes available. */
  inVain?: string;
}

/** What is known about faults. */
interface Known extends Pick<Ground, "refusals" | "deadHosts"> {
  /** Whether the server of a host had a defect. */
  isFailing?: (host: string) => boolean;
}

/** Follows all operations through the store's stream: what they wait for, and how they end. */
export class Watch {
  /** The numbers of operations by saga and state. */
  readonly ended: Counts = {};
  /** Why operations turned back, by saga. */
  readonly failures: Counts = {};
  /** Milliseconds by cause. */
  readonly waits: Counts = {};
  /** The running operations, as last seen. */
  readonly open = new Map<string, Operation>();
  readonly late = new Set<string>();
  /** The last seen revision of each operation, and when it was seen. */
  readonly #seen = new Map<string, { revision: number; at: number }>();
  /** The newest written revision of each operation, which the stream may deliver much later. */
  readonly #newest = new Map<string, number>();
  readonly #resumed = new Set<string>();
  readonly #clock: Clock;
  readonly #refusals: Refusals;
  readonly #deadHosts: DeadHosts;
  readonly #isFailing: (host: string) => boolean;
  readonly #trace: Trace;
  readonly #onStuck: (stuck: Stuck) => void;

  constructor(
    clock: Clock,
    { refusals, deadHosts, isFailing = () => false }: Known,
    trace: Trace,
    onStuck: (stuck: Stuck) => void,
  ) {
    this.#clock = clock;
    this.#refusals = refusals;
    this.#deadHosts = deadHosts;
    this.#isFailing = isFailing;
    this.#trace = trace;
    this.#onStuck = onStuck;
  }

  /** Takes writes to the store at once. */
  wrote(writes: readonly Write[]): void {
    for (const write of writes)
      if ("put" in write && write.put.pk.startsWith("operation#")) {
        const { id, revision } = objectIn<"operation">(kinds, write.put);
        this.#newest.set(id, revision);
      }
  }

  /** Takes a change from the stream. */
  see({ key, after }: StreamRecord): void {
    const now = this.#clock.now();
    this.#trace.add(now, key.pk, key.sk, after ? JSON.stringify(after) : "-");
    if (after && key.pk.startsWith("operation#"))
      this.#operation(objectIn<"operation">(kinds, after), now);
  }

  /** Notes that a person resumes the operation, so that its steps get their full time again. */
  resumes(id: string): void {
    this.#resumed.add(id);
  }

  /** Checks the running operations. */
  judge(): void {
    for (const operation of this.open.values()) this.#judge(operation);
  }

  #operation(operation: Operation, now: number): void {
    const { id, spec, status } = operation;
    const seen = this.#seen.get(id);
    // The stream may deliver a change again.
    if (seen && operation.revision <= seen.revision) return;
    const wasEnded = seen !== undefined && !this.open.has(id);
    const before = this.open.get(id);
    if (before) this.#addWaits(before, now - (seen?.at ?? now));
    this.#seen.set(id, { revision: operation.revision, at: now });
    if (before) this.#judge(operation, before);
    if (!isEnded(operation)) {
      this.open.set(id, operation);
      if (status.state === "STUCK" && before?.status.state !== "STUCK") this.#stuck(operation);
      return;
    }
    this.open.delete(id);
    if (wasEnded) return;
    count(this.ended, `${spec.saga} ${status.state}`);
    const { failure } = operation;
    if (status.state === "FAILED" && failure)
      count(this.failures, `${spec.saga}, ${failure.step}: ${pattern(failure.message)}`);
  }

  #stuck(operation: Operation): void {
    const { id, metadata, spec, status } = operation;
    const { step = "", kind, message = "nothing says why" } = status.failure ?? {};
    const failedAt = Date.parse(operation.steps[step]?.end_time ?? "");
    const isRefused = this.#refusals.explain({ operation: id, step }, failedAt);
    const { target } = spec;
    // The content of a dead DPU is unknown, so the wait continues until the server is deleted.
    const isInVain =
      target.kind === "baremetal_instance" &&
      kind === "DeadlineExceeded" &&
      this.#isFailing(target.id);
    // Slipway changes nothing on a server whose controller reports another one, or none.
    const isAnother =
      target.kind === "baremetal_instance" &&
      (kind === "NotFound" ||
        (kind === "Rejected" && /^expected the (server|DPU) with /.test(message))) &&
      this.#isFailing(target.id);
    this.#onStuck({
      ...{ id, tenant: metadata.tenant },
      why: `${spec.saga}, ${step}: ${kind}: ${pattern(message)}`,
      isExpected: isRefused || isInVain || isAnother,
      ...(isInVain && { inVain: target.id }),
    });
  }

  #judge(operation: Operation, before?: Operation): void {
    const resumed = this.#resumed.has(operation.id);
    const isOld = (this.#newest.get(operation.id) ?? 0) > operation.revision;
    const known = {
      before,
      resumed,
      isOld,
      deadHosts: this.#deadHosts,
      isFailing: this.#isFailing,
    };
    for (const line of late(operation, this.#clock.now(), known)) this.late.add(line);
  }

  #addWaits({ steps, queued }: Operation, ms: number): void {
    if (queued) count(this.waits, "an earlier operation of the same cluster", ms);
    for (const entry of Object.values(steps))
      if (isOpen(entry)) count(this.waits, causeOf(entry), ms);
  }
}

/** The reason for which an open step waits. */
function causeOf({ blocked_by, message, system = "Slipway" }: StepEntry): string {
  if (blocked_by) return `a ${blocked_by.system} that does not answer`;
  return message === undefined ? `${system}: at work` : `${system}: ${pattern(message)}`;
}
