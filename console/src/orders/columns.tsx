import { Link } from "react-router";
import { State, toneOfWork, waitsForPerson } from "../ui/state.tsx";
import type { Column } from "../ui/table.tsx";
import { Ago } from "../ui/time.tsx";
import { sentenceOf } from "./kinds.ts";
import type { Ordered } from "./ordered.ts";

/** What each table of orders shows of them: the name that leads to it, its state, and the sentence that matters. */

/** `plural` is the name of the kind in paths. */
export const named = <Row extends Ordered>(name: string, plural: string): Column<Row> => ({
  name,
  cell: ({ id, metadata }) => <Link to={`/orders/${plural}/${id}`}>{metadata.name || id}</Link>,
});

export const state: Column<Ordered> = {
  name: "State",
  cell: ({ status }) => <State state={status.state} tone={toneOfWork(status.state, status)} />,
};

export const why: Column<Ordered> = { name: "Why", isLong: true, cell: sentenceOf };

/** What one that waits is at, the system that it waits for, and since when. */
export const work: readonly Column<Ordered>[] = [
  { name: "Step", cell: ({ status: { waiting = [] } }) => waiting[0]?.step },
  {
    name: "Waits for",
    cell: ({ status: { waiting = [] } }) =>
      waiting.some(waitsForPerson) ? "a person" : waiting[0]?.system,
  },
  {
    name: "Since",
    cell: ({ status: { waiting = [] } }) => waiting[0]?.since && <Ago time={waiting[0].since} />,
  },
];

/** The hub that it is on: for the provider, of what is on one. */
export const hub: Column<Ordered> = {
  name: "Hub",
  cell: ({ status: { hub: of, placement } }) => of ?? placement?.hub,
};
