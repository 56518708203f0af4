import { operationFor } from "./api/area.ts";
import type { ApiCommand } from "./api/commands.ts";
import { type CliCall, connect } from "./call.ts";
import type { Exit } from "./exit.ts";
import { follow } from "./follow/follow.ts";
import { allPages, type ListOptions, type ListPage, limitIn, printList } from "./generic/list.ts";
import { formIn } from "./output/print.ts";
import { at, list, text } from "./output/values.ts";

/** `slipway operation watch`, and the lists of operations that need attention. */

export async function watchOperation(call: CliCall<{ timeout?: string }>): Promise<Exit> {
  const { around, options, words } = call;
  const { client, area } = connect(call);
  const [id = ""] = words;
  const { timeout } = options;
  return (await follow(around, { client, area, id, screen: around.out, timeout })).exit;
}

export interface OperationListOptions extends ListOptions {
  stuck?: boolean;
  stalled?: boolean;
  waitingFor?: string;
}

const inState = (state: string): string => `this.status.state == "OPERATION_STATE_${state}"`;

/** `slipway operation list`, with filters for stuck, stalled and waiting operations. */
export async function listOperations(
  command: ApiCommand,
  call: CliCall<OperationListOptions>,
): Promise<undefined> {
  const { options } = call;
  const { stuck, stalled, waitingFor, filter, order, tenant, project } = options;
  const form = formIn(options.output);
  const limit = limitIn(options.limit);
  const connection = connect(call);
  const operation = operationFor(command, connection.area);
  const isUnfinished = stalled || waitingFor !== undefined;
  const conditions = [
    ...(stuck ? [inState("STUCK")] : isUnfinished ? [inState("RUNNING")] : []),
    ...(tenant === undefined ? [] : [`this.metadata.tenant == ${JSON.stringify(tenant)}`]),
    ...(project === undefined ? [] : [`this.metadata.project == ${JSON.stringify(project)}`]),
    ...(filter === undefined ? [] : [`(${filter})`]),
  ].join(" && ");
  const query = { filter: conditions || undefined, order };
  const read = async (signal?: AbortSignal): Promise<ListPage> => {
    if (!isUnfinished) return allPages(connection.client, operation, { query, limit, signal });
    const all = { query, limit: Number.POSITIVE_INFINITY, signal };
    const { items } = await allPages(connection.client, operation, all);
    const found = items.filter(
      (each) =>
        (!stalled || at(each, "status.stalled") !== undefined) &&
        (waitingFor === undefined || waitsFor(each, waitingFor)),
    );
    const told = found.slice(0, limit);
    return { size: told.length, total: found.length, items: told };
  };
  await printList(call, { connection, read, kind: command.kind, form });
  return undefined;
}

/** Whether it waits for a system of this name or for this instance of one: `hub`, `hub-b`. */
function waitsFor(operation: unknown, system: string): boolean {
  const wanted = system.toLowerCase();
  return list(at(operation, "status.waiting")).some((wait) =>
    ["system", "instance"].some((each) => text(at(wait, each)).toLowerCase() === wanted),
  );
}
