import { answerOf } from "./answer-of.ts";
import type { Around } from "./around.ts";
import type { CliCall } from "./call.ts";
import { laptopSimulation } from "./endpoint.ts";
import { CliFailure, exits, wrongCall } from "./exit.ts";
import type { Column } from "./output/columns.ts";
import { outputTable } from "./output/table.ts";
import { at, list, shown, text } from "./output/values.ts";

/** `slipway fault …`: breaks the simulated world of this laptop (docs/simulated-world.md). */

export interface FaultOptions {
  operation?: string;
  count?: string;
  status?: string;
}

export async function addFault(call: CliCall<FaultOptions>): Promise<undefined> {
  const { around, options, words } = call;
  const [target, fault] = words;
  const { operation, count, status } = options;
  const body = {
    ...{ target, fault },
    ...(operation !== undefined && { operation }),
    ...(count !== undefined && { count: numberIn("count", count) }),
    ...(status !== undefined && { status: numberIn("status", status) }),
  };
  const made = await ask(around, { method: "POST", body: JSON.stringify(body) });
  around.out.write(`${shown(at(made, "id"))}\n`);
  return undefined;
}

export async function listFaults({ around }: CliCall): Promise<undefined> {
  const faults = list(at(await ask(around, { method: "GET" }), "items"));
  if (faults.length === 0) around.err.write("nothing is broken\n");
  else around.out.write(outputTable(faults, columns, around.out));
  return undefined;
}

export async function clearFaults({ around }: CliCall): Promise<undefined> {
  await ask(around, { method: "DELETE" });
  return undefined;
}

const columns: Column[] = ["id", "target", "operation", "fault", "status", "count", "taken"].map(
  (member) => ({ head: member.toUpperCase(), cell: (fault) => shown(at(fault, member)) }),
);

function numberIn(name: string, value: string): number {
  if (!/^\d{1,6}$/.test(value)) throw wrongCall(`--${name} must be a number`);
  return Number(value);
}

async function ask(around: Around, init: RequestInit): Promise<unknown> {
  const sim = laptopSimulation(around.env);
  if (sim === undefined)
    throw wrongCall(
      "there is no simulated world here",
      "npm run dev starts one; SLIPWAY_DATA is its folder",
    );
  let response: Response;
  try {
    response = await answerOf(around, `${sim}/faults`, init);
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    throw new CliFailure(exits.unreachable, `${sim} is unreachable: is npm run dev running?`);
  }
  const body: unknown = await response.json();
  if (!response.ok) throw new CliFailure(exits.refused, text(at(body, "message")));
  return body;
}
