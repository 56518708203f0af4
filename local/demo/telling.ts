import type { Operation } from "../../cli/follow/operation.ts";
import { Tree } from "../../cli/follow/tree.ts";
import { duration } from "../../cli/output/values.ts";
import { simSpeed } from "../settings.ts";
import { say, screen, styled } from "./screen.ts";

/** Prints the request that is sent now, or what happens now without one. */
export function sayHeading(line: string): void {
  say();
  say(styled(["bold", "cyan"], line));
}

/** Prints an operation as it goes on, as `slipway` does: what each step waits for, and how long it took. */
export function teller(): (operation: Operation) => void {
  const tree = new Tree(screen, {
    indent: "   ",
    words: waitOf,
    lasted: (seen) => duration(seen * simSpeed()),
  });
  return (operation) => tree.show(operation);
}

/** The wait in a step's message, without the names of conditions and machines. */
function waitOf(message: string): string {
  const [, set, total, upgraded] =
    /^node set (\S+) to arrive.* Total Nodes: (\d+)\. Upgraded: (\d+)$/.exec(message) ?? [];
  if (set !== undefined) return `${set}: ${upgraded} of ${total} nodes upgraded`;
  const [, way] = /^the control plane to arrive at \S+: (Working towards \S+):/.exec(message) ?? [];
  if (way !== undefined) return way;
  const [drives] = /^\d+ of \d+ drives to be erased/.exec(message) ?? [];
  if (drives !== undefined) return drives;
  const [, sets] = /^nodes: ([^(]*)/.exec(message) ?? [];
  if (sets === undefined) {
    const [first = ""] = message.replace(/^the control plane: /, "").split("; ");
    // What stands in brackets may have been cut off.
    return first.replace(/^(\w+: ){1,2}/, "").replace(/ \([^)]*$/, "");
  }
  const [, hosts] = /\(hosts are (.*)\)/.exec(message) ?? [];
  return `${sets.trim()} nodes${hosts ? `; hosts are ${hosts}` : ""}`;
}
