import { operationNamed } from "./api/operations.ts";
import { type CliCall, connect } from "./call.ts";
import { CliFailure, exits } from "./exit.ts";
import { foundIdOf, type Narrowed, pathTo } from "./generic/find.ts";
import { reasonOf } from "./output/reason.ts";
import { at, shown, text } from "./output/values.ts";

/** `slipway cluster open`: prints the address of a cluster's console, and on a terminal opens it in a browser. */

export interface OpenOptions extends Narrowed {
  /** The cluster's page in Slipway's console, which exists from the order on. */
  order?: boolean;
}

export async function openCluster(call: CliCall<OpenOptions>): Promise<undefined> {
  const { around, options, words } = call;
  const { client, area } = connect(call);
  const get = operationNamed(`${area}.cluster.get`);
  const [name = ""] = words;
  const { body } = await client.get(pathTo(get, await foundIdOf(client, get, name, options)));
  const page = `${client.endpoint.url}/orders/clusters/${encodeURIComponent(text(at(body, "id")))}`;
  const url = options.order ? page : text(at(body, "status.console_url"));
  if (url === "")
    throw new CliFailure(exits.refused, `${name} has no console yet`, {
      details: [
        [shown(at(body, "status.state")), reasonOf(body)].filter((each) => each).join(": "),
        `its order in Slipway's console: ${page}`,
      ],
    });
  around.out.write(`${url}\n`);
  if (around.out.isTerminal && !(await around.browse(url)))
    around.err.write("no browser could be started here\n");
  return undefined;
}
