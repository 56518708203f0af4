import { apiCommands } from "./api/commands.ts";
import { operations } from "./api/operations.ts";
import type { Call } from "./call.ts";
import { type Exit, wrongCall } from "./exit.ts";
import { type ChangeOptions, change } from "./generic/change.ts";

/** `slipway cluster scale` and `slipway cluster upgrade`: the changes that are made most, in few words. */

/** The sizes of node sets: `workers=3`. */
export function scale(call: Call<ChangeOptions>): Promise<Exit | undefined> {
  const [name = "", ...sizes] = call.words;
  const set = sizes.map((each) => {
    const [, nodeSet, size] = /^([a-z0-9-]+)=(\d+)$/.exec(each) ?? [];
    if (nodeSet === undefined)
      throw wrongCall(`'${each}' is no size of a node set`, "it is such as workers=3");
    return `spec.node_sets.${nodeSet}.size=${size}`;
  });
  return update(call, name, set);
}

/** To a version by its name or id. */
export function upgrade(call: Call<ChangeOptions>): Promise<Exit | undefined> {
  const [name = "", version = ""] = call.words;
  return update(call, name, [`spec.version=${JSON.stringify(version)}`]);
}

function update(call: Call<ChangeOptions>, name: string, set: string[]) {
  const command = apiCommands(operations()).find(
    ({ words }) => words.join(" ") === "cluster update",
  );
  if (!command) throw new Error("the document has no cluster update");
  return change(command, { ...call, words: [name], options: { ...call.options, set } });
}
