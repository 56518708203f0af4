import type { ReactNode } from "react";
import { Empty } from "./empty.tsx";
import styles from "./table.module.css";

/** A list as a table, by a list of columns. */

export interface Column<Row> {
  name: string;
  cell(row: Row): ReactNode;
  /** Numbers are right-aligned. */
  isNumber?: true;
  /** Long sentences get the remaining width, without truncation. On a narrow screen they follow the name. */
  isLong?: true;
  /** On a narrow screen it stands beside the name. */
  isState?: true;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<NoInfer<Row>>[];
  rows: readonly Row[];
  idOf(row: NoInfer<Row>): string;
  /** Shown instead of an empty table: a sentence, or an `Empty` with what to do. */
  empty: ReactNode;
}

export function Table<Row>({ label, columns, rows, idOf, empty }: TableProps<Row>) {
  if (rows.length === 0) return typeof empty === "string" ? <Empty>{empty}</Empty> : empty;
  const classOf = ({ isNumber, isLong, isState }: Column<Row>) =>
    (isNumber && styles.number) ||
    (isLong && styles.long) ||
    (isState && styles.state) ||
    undefined;
  return (
    // A table that is wider than the screen is scrolled, by keys too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that keys scroll it
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={classOf(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)}>
              {columns.map((column) => (
                <td key={column.name} className={classOf(column)} data-name={column.name}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
