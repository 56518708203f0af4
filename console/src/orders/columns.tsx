import { Link } from "react-router";
import { State, toneOfWork } from "../ui/state.tsx";
import type { Column } from "../ui/table.tsx";
import { type Ordered, sentenceOf } from "./kinds.ts";

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
