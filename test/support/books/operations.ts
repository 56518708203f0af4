import { minutes } from "../../../core/clock.ts";
import { tokenKey } from "../../../core/kernel/object/keys.ts";
import { namesOf } from "../../../core/kernel/object/kind.ts";
import { isOperated, type OperatedKind } from "../../../core/kernel/object/traits.ts";
import { tokensOf } from "../../../core/kernel/saga/entry.ts";
import {
  isEnded,
  isOpen,
  type Operation,
  type StepEntry,
} from "../../../core/kernel/saga/operation.ts";
import { ticketIn } from "../../../core/placement/queues/tickets.ts";
import type { Books, Check } from "./check.ts";

/** An operation that has ended keeps nothing, and one that has not is its target's. */
export const operations: Check = {
  of: [],
  wrong(books) {
    const all = books.table.objects("operation");
    const open = new Map(all.filter((each) => !isEnded(each)).map((each) => [each.id, each]));
    const known = new Set<string>();
    const wrong: string[] = [];
    for (const { id, operation, queued } of targets(books)) {
      for (const each of [operation, queued]) {
        if (each === undefined) continue;
        known.add(each);
        if (open.get(each)?.spec.target.id !== id)
          wrong.push(`${id} has the operation ${each}, which has ended or is not its own`);
      }
    }
    for (const { id, spec, status } of open.values())
      if (!known.has(id))
        wrong.push(`${spec.saga} of ${spec.target.id} is ${status.state}, and nobody has it`);
    return [...wrong, ...all.filter(isEnded).flatMap((each) => leftIn(books, each))];
  },
};

function targets({ table, kinds }: Books) {
  const operated = namesOf(kinds).filter((kind): kind is OperatedKind => isOperated(kinds, kind));
  return operated.flatMap((kind) => table.objects(kind));
}

/** What an ended operation has still: an open step, a task, an attempt or its lease. */
function leftIn({ now, wall }: Books, { spec, status, steps, swept }: Operation): string[] {
  // A call of the last undo may have got no answer, and may still land while its lease lasts.
  const isLongOver = now - Date.parse(status.end_time ?? "") > minutes(5);
  const has: Record<string, (entry: StepEntry) => boolean> = {
    "is open": isOpen,
    // The last task is kept until a sweep has seen that its answer arrived.
    "has a task": ({ token }) => token !== undefined && swept === true,
    "has an attempt": ({ attempt }) => attempt !== undefined,
    "may still take effect": (entry) => isLongOver && landsAfter(entry) > wall,
  };
  return Object.entries(steps).flatMap(([step, entry]) =>
    Object.entries(has).flatMap(([what, is]) =>
      is(entry) ? [`${step} of ${spec.saga} of ${spec.target.id} ${what}, and that has ended`] : [],
    ),
  );
}

/** Whoever answers a task of an operation finds its token, and no token is kept for ever. */
export const tokens: Check = {
  of: ["token"],
  wrong: ({ table }) =>
    table.objects("operation").flatMap(({ id, steps }) =>
      Object.entries(steps).flatMap(([step, entry]) =>
        tokensOf(entry)
          .filter((name) => table.item(tokenKey(name.replace(/^kept#/, ""))) === undefined)
          .map((name) => `${step} of ${id} waits for the answer to ${name}, which nobody knows`),
      ),
    ),
};

/** At rest nobody waits for anything, but what stands in line in its own name (`allocations.ts`). */
export const tickets: Check = {
  of: ["ticket"],
  wrong: ({ table }) =>
    table
      .items("ticket")
      .filter((item) => item.ticket === undefined || ticketIn(item).allocation === undefined)
      .map(({ pk, sk }) => `a ticket in ${pk} is left: ${sk}`),
};

/** Until when an attempt may run, or a call that got no answer may take effect. */
const landsAfter = ({ leases = {}, unanswered = 0 }: StepEntry): number =>
  Math.max(unanswered, ...Object.values(leases));
