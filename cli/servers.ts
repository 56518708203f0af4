import { commandNamed } from "./api/commands.ts";
import { operationNamed } from "./api/operations.ts";
import { type CliCall, connect } from "./call.ts";
import { type Exit, wrongCall } from "./exit.ts";
import { type ChangeOptions, change } from "./generic/change.ts";
import { foundIdOf, pathTo } from "./generic/find.ts";
import { at, list, shown, text } from "./output/values.ts";

/**
 * `slipway baremetal-instance restart`, `start`, `stop` and `maintenance`: changes of a tenant's server, in few
 * words.
 */

/** Requests one restart, by a new number. */
export async function restart(call: CliCall<ChangeOptions>): Promise<Exit | undefined> {
  const trigger = Number(at(await read(call), "spec.restart_trigger") ?? 0) + 1;
  return update(call, `spec.restart_trigger=${trigger}`);
}

export const start = (call: CliCall<ChangeOptions>): Promise<Exit | undefined> =>
  update(call, "spec.run_strategy=BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS");

export const stop = (call: CliCall<ChangeOptions>): Promise<Exit | undefined> =>
  update(call, "spec.run_strategy=BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED");

function update(call: CliCall<ChangeOptions>, setting: string): Promise<Exit | undefined> {
  const options = { ...call.options, set: [setting] };
  return change(commandNamed("baremetal-instance update"), { ...call, options });
}

export interface MaintenanceOptions extends ChangeOptions {
  consent?: string;
  /** A time here; in other commands, the option of this name is a file. */
  from?: string;
  until?: string;
}

/**
 * Shows the provider's maintenance request for a server; with `--consent`, sets when the
 * maintenance may begin.
 */
export async function maintenance(call: CliCall<MaintenanceOptions>): Promise<Exit | undefined> {
  const { consent, from, until, ...options } = call.options;
  if (consent !== undefined) {
    const said = Object.entries({ consent, from, until });
    const set = said.flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${JSON.stringify(value)}`],
    );
    return change(commandNamed("baremetal-instance maintenance"), {
      ...call,
      options: { ...options, set },
    });
  }
  if (from !== undefined || until !== undefined)
    throw wrongCall("--from and --until go with --consent window");
  const server = await read(call);
  const asked = list(at(server, "status.conditions")).find(
    (each) => at(each, "type") === "BARE_METAL_INSTANCE_CONDITION_TYPE_MAINTENANCE",
  );
  const { out } = call.around;
  if (at(asked, "status") !== "CONDITION_STATUS_TRUE") {
    call.around.err.write("nothing is asked for\n");
    return undefined;
  }
  out.write(`${text(at(asked, "message"))}\n`);
  const since = shown(at(server, "status.repair.since"));
  if (since !== "") {
    const given = shown(at(server, "status.repair.consent"));
    out.write(
      `asked for since ${since}; ${given === "" ? "not consented to: --consent now, on_restart or window" : `consent: ${given}`}\n`,
    );
  }
  return undefined;
}

async function read(call: CliCall<ChangeOptions>): Promise<unknown> {
  const { client, area } = connect(call);
  const get = operationNamed(`${area}.baremetal_instance.get`);
  const { tenant, project } = call.options;
  const id = await foundIdOf(client, get, call.words[0] ?? "", { tenant, project });
  return (await client.get(pathTo(get, id))).body;
}
