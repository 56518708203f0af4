import { Link } from "react-router";
import { wordsOf } from "../saga/shape.ts";
import { WorkState, waitsForPerson } from "../ui/state.tsx";
import type { Column } from "../ui/table.tsx";
import { Ago } from "../ui/time.tsx";
import { sentenceOf } from "./kinds.ts";
import type { Ordered } from "./ordered.ts";

/** The common columns of orders: the linked name, the state, and the main message. */

/** `plural` is the kind's name in paths. */
export const named = <Row extends Ordered>(name: string, plural: string): Column<Row> => ({
  name,
  cell: ({ id, metadata }) => <Link to={`/orders/${plural}/${id}`}>{metadata.name || id}</Link>,
});

export const state: Column<Ordered> = {
  name: "State",
  isState: true,
  cell: ({ status }) => <WorkState status={status} />,
};

export const why: Column<Ordered> = { name: "Why", isLong: true, cell: sentenceOf };

/** The current step, the system that it waits for, and since when. */
export const work: readonly Column<Ordered>[] = [
  {
    name: "Step",
    cell: ({ status: { waiting = [] } }) => waiting[0] && wordsOf(waiting[0].step),
  },
  {
    name: "Waits for",
    cell: ({ status: { waiting = [] } }) =>
      waiting.some(waitsForPerson) ? "an operator" : waiting[0]?.system,
  },
  {
    name: "Since",
    cell: ({ status: { waiting = [] } }) => waiting[0]?.since && <Ago time={waiting[0].since} />,
  },
];

/** The hub of the object; shown to the provider. */
export const hub: Column<Ordered> = {
  name: "Hub",
  cell: ({ status: { hub: of, placement } }) => of ?? placement?.hub,
};
