import { operationFor } from "../api/area.ts";
import type { ApiCommand } from "../api/commands.ts";
import { type CliCall, connect } from "../call.ts";
import { columnsOf } from "../output/columns.ts";
import { columnsNamed } from "../output/fields.ts";
import { formIn, print, tellNone } from "../output/print.ts";
import { textFor } from "../output/unsafe.ts";
import { foundIdOf, pathTo } from "./find.ts";
import { watching } from "./watching.ts";

/** `slipway <kind> get NAME`, and other reads of one object or of a single resource. */

export interface GetOptions {
  output?: string;
  fields?: string;
  tenant?: string;
  project?: string;
  watch?: boolean;
}

export async function getObject(
  command: ApiCommand,
  call: CliCall<GetOptions>,
): Promise<undefined> {
  const { options, around, words } = call;
  const form = formIn(options.output);
  const { client, area } = connect(call);
  const operation = operationFor(command, area);
  const [name] = words;
  const id = name === undefined ? "" : await foundIdOf(client, operation, name, options);
  const path = pathTo(operation, id);
  const [, verb = ""] = command.words;
  const columns =
    columnsNamed(options.fields, form) ??
    columnsOf(command.kind, { verb, area, isWide: form === "wide" });
  if (options.watch) {
    const read = async (signal: AbortSignal) => (await client.get(path, {}, signal)).body;
    await watching(around, { read, columns, form });
    return undefined;
  }
  const { body, text } = await client.get(path);
  // A kubeconfig or a password is printed unchanged.
  if (body === undefined)
    around.out.write(textFor(around.out, text.endsWith("\n") || text === "" ? text : `${text}\n`));
  else await print(around, body, { form, columns });
  tellNone(around, body, form);
  return undefined;
}
