import { commandNamed } from "./api/commands.ts";
import type { CliCall } from "./call.ts";
import type { Exit } from "./exit.ts";
import { type ChangeOptions, change } from "./generic/change.ts";
import { nodeSizes } from "./generic/shortcuts.ts";

/** `slipway cluster scale` and `slipway cluster upgrade`: the most common changes, in few words. */

/** The sizes of node sets: `workers=3`. */
export function scale(call: CliCall<ChangeOptions>): Promise<Exit | undefined> {
  const [name = "", ...sizes] = call.words;
  return update(call, name, nodeSizes(sizes));
}

/** Upgrades to a version, given by its name or id. */
export function upgrade(call: CliCall<ChangeOptions>): Promise<Exit | undefined> {
  const [name = "", version = ""] = call.words;
  return update(call, name, [`spec.version=${JSON.stringify(version)}`]);
}

function update(call: CliCall<ChangeOptions>, name: string, set: string[]) {
  return change(commandNamed("cluster update"), {
    ...call,
    words: [name],
    options: { ...call.options, set },
  });
}
