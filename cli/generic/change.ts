import { operationFor } from "../api/area.ts";
import type { ApiCommand } from "../api/commands.ts";
import { destroys } from "../api/destroys.ts";
import { type ApiOperation, type CommandArea, kindOf } from "../api/operations.ts";
import { isWork } from "../api/work.ts";
import { type CliCall, connect } from "../call.ts";
import type { Client, ClientAnswer } from "../client.ts";
import { CliFailure, type Exit, exits, wrongCall } from "../exit.ts";
import { columnNameOf, columnsOf } from "../output/columns.ts";
import { type Form, formIn, print } from "../output/print.ts";
import { shellWord } from "../output/shell-word.ts";
import { textFor } from "../output/unsafe.ts";
import { at, isRecord } from "../output/values.ts";
import { type BodyOptions, bodyFrom } from "./body.ts";
import { confirm } from "./confirm.ts";
import { foundIdOf, pathTo } from "./find.ts";
import { shortcutsOf } from "./shortcuts.ts";

/** Everything that changes something: create, update, delete, and actions such as retry. */

export interface ChangeOptions extends BodyOptions {
  output?: string;
  dryRun?: boolean;
  wait?: boolean;
  timeout?: string;
  /** Skips the confirmation. */
  yes?: boolean;
}

export async function change(
  command: ApiCommand,
  call: CliCall<ChangeOptions>,
): Promise<Exit | undefined> {
  const { options, around, words } = call;
  const form = formIn(options.output);
  const { client, area } = connect(call);
  const operation = operationFor(command, area);
  const [name] = words;
  const isAboutOne = operation.path.includes("{id}");
  const isNew = operation.id.endsWith(".create");
  // A body names the tenant of a new object; otherwise the tenant selects among objects of the same name.
  const { tenant, project, ...others } = options;
  const set = [...shortcutsOf(command.words).settings({ ...options }), ...(options.set ?? [])];
  const body = await bodyFrom(
    { ...(isNew ? options : others), set },
    {
      name: isNew ? name : undefined,
      flags: operation.flags ?? [],
      secrets: operation.secrets ?? [],
      given: { ...options },
    },
    around,
  );
  if (operation.method === "PATCH" && Object.keys(body).length === 0)
    throw wrongCall("nothing to change: use options, --set or --from");
  const id = isAboutOne ? await foundIdOf(client, operation, name ?? "", { tenant, project }) : "";
  if (destroys(operation) && !options.dryRun && !options.yes)
    await confirm(around, client, { operation, command: command.words.join(" "), id });
  const interrupted = around.interrupted();
  const asked = client.ask({
    method: operation.method,
    path: pathTo(operation, id),
    query: { dry_run: options.dryRun ? "true" : undefined },
    ...(operation.method !== "DELETE" && { body }),
    ...(operation.keyed && { isKeyed: true }),
    signal: interrupted,
  });
  const look = `slipway ${command.words[0]} ${isNew ? "list" : `get ${shellWord(name ?? "")}`}`;
  const answer = await asked.catch((error: unknown) => {
    throw options.dryRun ? error : unanswered(error, { isInterrupted: interrupted.aborted, look });
  });
  if (options.dryRun) around.err.write("it would be accepted; nothing was changed\n");
  return told(call, { client, area, command, operation, answer, form });
}

/** What is printed when it is unknown whether a change was accepted. */
function unanswered(
  error: unknown,
  { isInterrupted, look }: { isInterrupted: boolean; look: string },
): unknown {
  if (!(error instanceof CliFailure && error.mayBeDone)) return error;
  const details = [...error.details, `it may have been accepted; check first: ${look}`];
  if (!isInterrupted) return new CliFailure(error.exit, error.message, { details });
  return new CliFailure(exits.running, "the wait was interrupted", { details: details.slice(-1) });
}

interface Changed {
  client: Client;
  area: CommandArea;
  command: ApiCommand;
  operation: ApiOperation;
  answer: ClientAnswer;
  form: Form;
}

/** The member of an answer that is printed as text, by the command's verb. It cannot be read again. */
const texts: Record<string, string> = { "issue-credential": "kubeconfig" };

/** Prints the answer, and follows the operation that was started or says how to. */
async function told(
  { options, around }: CliCall<ChangeOptions>,
  { client, area, command, operation, answer, form }: Changed,
): Promise<Exit | undefined> {
  const [, verb = ""] = command.words;
  const columns = columnsOf(kindOf(operation), { verb, area, isWide: form === "wide" });
  const text = at(answer.body, texts[verb] ?? "");
  if (form === "table" && typeof text === "string") {
    around.out.write(textFor(around.out, text.endsWith("\n") ? text : `${text}\n`));
    return undefined;
  }
  const started = startedBy(operation, answer);
  const isShown = isRecord(answer.body) && Object.keys(answer.body).length > 0;
  if (started === undefined || !options.wait) {
    if (isShown) await print(around, answer.body, { form, columns });
    if (started !== undefined)
      around.err.write(`follow it with: slipway operation watch ${shellWord(started)}\n`);
    return undefined;
  }
  const { follow } = await import("../follow/follow.ts");
  const { exit, last } = await follow(around, {
    ...{ client, area, screen: around.err, id: started },
    timeout: options.timeout,
  });
  // Some actions remove an object, as its deletion does.
  if (exit !== exits.done || !isShown || last?.change === "DELETE") return exit;
  const { path } = operation;
  const own = path.includes("{id}") ? path.slice(0, path.indexOf("{id}")) : `${path}/`;
  const { body } = await client.get(`${own}${encodeURIComponent(idIn(answer.body))}`);
  await print(around, body, { form, columns });
  return exit;
}

/** The operation that the request started, cancelled or resumed. */
function startedBy(operation: ApiOperation, { headers, body }: ClientAnswer): string | undefined {
  if (isWork(kindOf(operation))) return idIn(body);
  return headers.get("operation-location")?.split("/").at(-1);
}

const idIn = (body: unknown): string =>
  isRecord(body) && typeof body.id === "string" ? body.id : columnNameOf(body);
