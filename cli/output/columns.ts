import type { CommandArea } from "../api/operations.ts";
import { isWork } from "../api/work.ts";
import { ofEntries } from "./entries.ts";
import { ofKinds } from "./kinds.ts";
import { reasonOf } from "./reason.ts";
import type { Row } from "./row.ts";
import { at, list, shown, text } from "./values.ts";

/** The columns of each kind's table. */

export interface Column {
  head: string;
  cell(object: unknown): string;
  /** A cell without information: a column that has only these is omitted. */
  dull?: string;
}

const rowsOf = (table: Record<string, readonly Row[]>, name: string): readonly Row[] | undefined =>
  table[name];

/** The columns for a list of a kind's objects, or for the entries that `verb` lists. */
export function columnsOf(
  kind: string,
  { verb, area, isWide }: { verb: string; area: CommandArea; isWide: boolean },
): Column[] {
  const entries = rowsOf(ofEntries, verb) ?? rowsOf(ofEntries, kind);
  const column = ([head, path]: Row): Column => ({ head, cell: (each) => shown(at(each, path)) });
  const fitting = (rows: readonly Row[]) =>
    rows.filter(([, , wide]) => isWide || !wide).map(column);
  if (entries) return fitting(entries);
  return [
    isWork(kind) ? column(["ID", "id"]) : { head: "NAME", cell: columnNameOf },
    ...(area === "private" ? [{ ...column(["TENANT", "metadata.tenant"]), dull: "shared" }] : []),
    ...(isWide ? [column(["PROJECT", "metadata.project"])] : []),
    { head: "STATE", cell: (each) => shown(at(each, "status.state") ?? at(each, "status.phase")) },
    ...(isWork(kind) ? [{ head: "STEP", cell: stepOf }] : []),
    ...fitting(rowsOf(ofKinds, kind) ?? []),
    ...(isWide
      ? [
          column(["CREATED", "metadata.creation_timestamp"]),
          ...(isWork(kind) ? [] : [column(["ID", "id"])]),
        ]
      : []),
    { head: "WHY", cell: reasonOf },
  ];
}

export const columnNameOf = (object: unknown): string =>
  text(at(object, "metadata.name")) || text(at(object, "id"));

/** The current step of an operation. `Stuck`, which waits for a person, is not a step. */
function stepOf(operation: unknown): string {
  const steps = list(at(operation, "status.steps")).filter((each) => at(each, "name") !== "Stuck");
  const open = steps.findLast((step) => /^(RUNNING|WAITING|FAILED)$/.test(text(at(step, "state"))));
  return text(at(open, "name"));
}
