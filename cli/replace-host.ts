import { operationNamed } from "./api/operations.ts";
import { type CliCall, connect } from "./call.ts";
import { type Exit, exits } from "./exit.ts";
import { follow } from "./follow/follow.ts";
import { foundIdOf } from "./generic/find.ts";
import { shellWord } from "./output/shell-word.ts";
import { at, text } from "./output/values.ts";

/**
 * `slipway host replace`: takes a host out of service, once its cluster has a replacement. Repeating the request
 * changes nothing while the replacement runs, so the command continues an interrupted run.
 */

export interface ReplaceOptions {
  timeout?: string;
}

export async function replaceHost(call: CliCall<ReplaceOptions>): Promise<Exit> {
  const { around, options, words } = call;
  const { client, area } = connect(call);
  const [name = ""] = words;
  const get = operationNamed("private.host.get");
  const id = await foundIdOf(client, get, name);
  const path = `/api/private/v1/hosts/${encodeURIComponent(id)}`;
  const { body } = await client.ask({ method: "POST", path: `${path}/maintain`, body: {} });
  const replacing = text(at(body, "status.maintenance.operation"));
  if (replacing !== "") {
    const { timeout } = options;
    const { exit } = await follow(around, {
      ...{ client, area, id: replacing, screen: around.err, timeout },
      again: `slipway host replace ${shellWord(name)}`,
    });
    if (exit !== exits.done) return exit;
  }
  const owner = at((await client.get(path)).body, "status.owner");
  const holder = text(at(owner, "name")) || text(at(owner, "id"));
  around.out.write(
    holder === ""
      ? `${name} is out of service and free; slipway host release ${shellWord(name)} brings it back\n`
      : `${name} is still used by ${holder}, and leaves when released\n`,
  );
  return exits.done;
}
