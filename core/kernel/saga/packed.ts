import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../clock.ts";
import type { Operation, StepEntry, StepState } from "./operation.ts";

/**
 * An operation is written several times in each step, and each write, like each check of its fence, is
 * charged by its size. So a step that has not begun, or has ended well, is stored as a line of text:
 *
 *     PublishCluster       11 PENDING
 *     AttachHosts          3 SUCCEEDED 1 2026-01-01T00:05:11.000Z +52267ms fabric
 *
 * which is its position, state, attempts, start, duration and system. Every other step is stored whole.
 */
export function packed(operation: Operation): object {
  const { steps, metadata, ...rest } = operation;
  const { name, labels, annotations, ...others } = metadata;
  return {
    ...rest,
    // An operation has no name of its own.
    metadata: {
      ...others,
      ...(name !== operation.id && { name }),
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    steps: mapped(steps, (entry) => lineOf(entry) ?? entry),
  };
}

/** The members of an operation that are stored otherwise. */
type Stored = Omit<Operation, "steps" | "metadata"> & {
  steps: Record<string, StepEntry | string>;
  metadata: Partial<Operation["metadata"]> & Pick<Operation["metadata"], "tenant">;
};

/** The operation that is stored like this. */
export function unpacked(stored: Operation): Operation {
  // Only `packed` makes what is stored, so the cast is safe.
  const { steps, metadata, ...rest } = stored as Stored;
  return {
    ...rest,
    metadata: {
      name: stored.id,
      labels: {},
      annotations: {},
      ...metadata,
    } as Operation["metadata"],
    steps: mapped(steps, (entry) => (typeof entry === "string" ? entryIn(entry) : entry)),
  };
}

/** The line of a step; undefined for one that does not fit into a line. */
function lineOf(entry: StepEntry): string | undefined {
  const { position, state, attempts, start_time = "", end_time = "", system } = entry;
  const took = Date.parse(end_time) - Date.parse(start_time);
  const words =
    state === "PENDING" ? [] : [attempts, start_time, `+${took}ms`, ...(system ? [system] : [])];
  const line = [position, state, ...words].join(" ");
  return state !== "FAILED" && isDeepStrictEqual(entryIn(line), entry) ? line : undefined;
}

const pattern = /^(\d+) ([A-Z]+)(?: (\d+) (\S+) \+(\d+)ms(?: (.+))?)?$/;

function entryIn(line: string): StepEntry {
  const [, position, state, attempts = 0, start_time, took, system] = pattern.exec(line) ?? [];
  const ended = start_time === undefined ? undefined : Date.parse(start_time) + Number(took);
  return {
    position: Number(position),
    state: state as StepState,
    attempts: Number(attempts),
    ...(system === undefined ? {} : { system }),
    ...(ended === undefined ? {} : { start_time, end_time: timestamp(ended) }),
  };
}

const mapped = <A, B>(record: Record<string, A>, to: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]));
