import type { ReactNode } from "react";
import type { Page as ListPage } from "../api/client.ts";
import { Loaded } from "./page.tsx";
import { type Column, Table } from "./table.tsx";

interface ListedProps<Row> {
  label: string;
  read: { data: ListPage<Row> | undefined; error: Error | null };
  columns: readonly Column<NoInfer<Row>>[];
  idOf?(row: NoInfer<Row>): string;
  /** Shown when the list is empty. */
  empty: ReactNode;
}

const idIn = (row: object): string => ("id" in row ? String(row.id) : "");

/** Whether a list has rows. An empty list shows the button for its first object itself, not beside the title. */
export const isSome = ({ data }: { data: ListPage<unknown> | undefined }): boolean =>
  data !== undefined && data.items.length > 0;

/** A list from the API, as a table. */
export function Listed<Row extends object>(props: ListedProps<Row>) {
  const { label, read, columns, empty, idOf = idIn } = props;
  return (
    <Loaded read={read} waiting={`Reading ${label.toLowerCase()} …`}>
      {({ items }) => <Table {...{ label, columns, idOf, empty }} rows={items} />}
    </Loaded>
  );
}
