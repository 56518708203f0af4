import { dashed } from "../api/commands.ts";
import { type ApiOperation, areaOf, kindOf, operations } from "../api/operations.ts";
import type { Around } from "../around.ts";
import type { Client } from "../client.ts";
import { type CliFailure, wrongCall } from "../exit.ts";
import { columnNameOf, columnsOf } from "../output/columns.ts";
import { outputTable } from "../output/table.ts";
import { at, counted, isRecord, text } from "../output/values.ts";
import { pathTo } from "./find.ts";

/** Shows what would be destroyed for good, and asks for confirmation. */

interface Destroyed {
  operation: ApiOperation;
  /** The command as it was typed, such as `cluster delete`. */
  command: string;
  id: string;
}

/** Throws when the name is not typed, and without a terminal to ask at. */
export async function confirm(
  around: Around,
  client: Client,
  { operation, command, id }: Destroyed,
): Promise<void> {
  const kind = kindOf(operation);
  const area = areaOf(operation);
  if (!around.isAsked()) throw needsYes(command);
  const get = operations().find((each) => each.id === `${area}.${kind}.get`);
  const object = get && (await client.get(pathTo(get, id))).body;
  const name = columnNameOf(object) || id;
  if (object !== undefined) {
    const columns = columnsOf(kind, { verb: "get", area, isWide: true });
    around.err.write(outputTable([object], columns, around.err));
  }
  const held = heldBy(object);
  if (held !== "") around.err.write(`released: ${held}\n`);
  around.err.write(`${command}: it cannot be restored\n`);
  const answer = await around.ask(
    `Type ${name} to ${command.split(" ").at(-1)} the ${dashed(kind)}: `,
  );
  if (answer.trim() !== name) throw wrongCall("not confirmed; nothing was changed");
}

/** The failure of a command that needs a confirmation, without a terminal to ask at. */
export const needsYes = (command: string): CliFailure =>
  wrongCall(
    `${command} cannot be undone; without a terminal it needs --yes`,
    "nothing was changed; --dry-run, where the command has it, checks first",
  );

/** What an object holds outside of Slipway, according to its record. */
function heldBy(object: unknown): string {
  const sets = at(object, "spec.node_sets");
  if (!isRecord(sets)) return "";
  const hosts = Object.entries(sets).map(
    ([name, set]) => `${counted(Number(at(set, "size") ?? 0), "host")} of ${text(name)}`,
  );
  return [...hosts, "its network, its addresses, its names and its storage"].join(", ");
}
