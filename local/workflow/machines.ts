import { createHash } from "node:crypto";
import * as z from "zod";
import { stateMachineArn } from "./arn.ts";
import type { StateMachine } from "./asl.ts";
import type { Database } from "./database.ts";
import { parseDefinition } from "./definition.ts";
import { ServiceError } from "./errors.ts";

const machineRow = z.object({
  id: z.number(),
  arn: z.string(),
  name: z.string(),
  /** The hash of the machine's definition. */
  definition: z.string(),
  /** The creation time, in milliseconds since the epoch. */
  created: z.number(),
});
export type Machine = z.infer<typeof machineRow>;

const columns = "id, arn, name, definition, created";
const textRow = z.object({ text: z.string() });

/** State machines and their definitions. A former definition is kept as long as executions run by it. */
export class Machines {
  readonly #database: Database;
  readonly #integrations: ReadonlySet<string>;
  readonly #parsed = new Map<string, StateMachine>();

  constructor(database: Database, integrations: ReadonlySet<string>) {
    this.#database = database;
    this.#integrations = integrations;
  }

  /** Creates the machine, or changes its definition. Throws `InvalidDefinition`. */
  put(name: string, text: string, now: number): Machine {
    const parsed = parseDefinition(text, this.#integrations);
    const hash = createHash("sha256").update(text).digest("hex");
    this.#parsed.set(hash, parsed);
    return this.#database.transaction(() => {
      const keep = "INSERT INTO definitions (hash, text) VALUES (?, ?) ON CONFLICT DO NOTHING";
      this.#database.run(keep, hash, text);
      this.#database.run(
        `INSERT INTO machines (arn, name, definition, created) VALUES (?, ?, ?, ?)
         ON CONFLICT (arn) DO UPDATE SET definition = excluded.definition`,
        stateMachineArn(name),
        name,
        hash,
        now,
      );
      return this.get(stateMachineArn(name));
    });
  }

  find(arn: string): Machine | undefined {
    const select = `SELECT ${columns} FROM machines WHERE arn = ?`;
    return this.#database.get(machineRow, select, arn);
  }

  /** A state machine by its ARN. Throws `StateMachineDoesNotExist`. */
  get(arn: string): Machine {
    const machine = this.find(arn);
    if (machine !== undefined) return machine;
    throw new ServiceError("StateMachineDoesNotExist", `State Machine Does Not Exist: '${arn}'`);
  }

  /** Lists machines in the order of their creation, starting after the id `after`. */
  list(limit: number, after = 0): Machine[] {
    const select = `SELECT ${columns} FROM machines WHERE id > ? ORDER BY id LIMIT ?`;
    return this.#database.all(machineRow, select, after, limit);
  }

  /** Removes definitions that no machine and no execution uses any more. */
  prune(): void {
    this.#database.run(
      `DELETE FROM definitions WHERE hash NOT IN (SELECT definition FROM machines)
       AND hash NOT IN (SELECT definition FROM executions)`,
    );
  }

  text(hash: string): string {
    const select = "SELECT text FROM definitions WHERE hash = ?";
    const row = this.#database.get(textRow, select, hash);
    if (row === undefined) throw new Error(`no definition ${hash}`);
    return row.text;
  }

  definition(hash: string): StateMachine {
    let parsed = this.#parsed.get(hash);
    if (parsed === undefined) {
      parsed = parseDefinition(this.text(hash));
      this.#parsed.set(hash, parsed);
    }
    return parsed;
  }
}
