import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { frozen } from "../../core/frozen.ts";
import type { KubeObject } from "./object.ts";

export type Row = Record<string, SQLOutputValue>;

/** The rows of one cluster; its name is the first parameter of every statement except commands. */
export class Rows {
  readonly #database: DatabaseSync;
  readonly #cluster: string;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, cluster: string) {
    this.#database = database;
    this.#cluster = cluster;
  }

  run(sql: string, ...parameters: (string | number | null)[]): void {
    this.#statement(sql).run(this.#cluster, ...parameters);
  }

  /** The first row. */
  one(sql: string, ...parameters: (string | number)[]): Row | undefined {
    return this.#statement(sql).get(this.#cluster, ...parameters);
  }

  all(sql: string, ...parameters: (string | number)[]): Row[] {
    return this.#statement(sql).all(this.#cluster, ...parameters);
  }

  /** Runs a statement that concerns no particular cluster. */
  command(sql: string): void {
    this.#statement(sql).run();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const prepared = this.#database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }
}

/** The object that a column holds. */
export function parseObject(body: SQLOutputValue | undefined): KubeObject {
  // Safe: only objects of this type are stored.
  return frozen(JSON.parse(String(body)) as KubeObject);
}
