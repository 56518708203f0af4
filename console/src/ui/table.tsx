import type { ReactNode } from "react";
import styles from "./table.module.css";

/** A list as a table, by a list of columns. */

export interface Column<Row> {
  name: string;
  cell(row: Row): ReactNode;
  /** Numbers are right-aligned. */
  isNumber?: true;
  /** Long sentences get the remaining width, without truncation. */
  isLong?: true;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<NoInfer<Row>>[];
  rows: readonly Row[];
  idOf(row: NoInfer<Row>): string;
  /** Shown instead of an empty table. */
  empty: ReactNode;
}

export function Table<Row>({ label, columns, rows, idOf, empty }: TableProps<Row>) {
  if (rows.length === 0) return <div className={styles.empty}>{empty}</div>;
  const classOf = ({ isNumber, isLong }: Column<Row>) =>
    isNumber ? styles.number : isLong ? styles.long : undefined;
  return (
    // A table that is wider than the screen is scrolled, by keys too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that keys scroll it
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table
        className={`${styles.table} ${columns.some(({ isLong }) => isLong) ? styles.whole : ""}`}
      >
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
                <td key={column.name} className={classOf(column)}>
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
