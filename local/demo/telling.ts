import type { FollowedOperation } from "../../cli/follow/operation.ts";
import { Tree } from "../../cli/follow/tree.ts";
import { duration } from "../../cli/output/values.ts";
import { simSpeed } from "../settings.ts";
import { say, screen, styled } from "./screen.ts";

/** Prints a heading: a request, or what happens next without one. */
export function sayHeading(line: string): void {
  say();
  say(styled(["bold", "cyan"], line));
}

/** Prints the progress of an operation as the CLI does: what each step waits for, and how long it took. */
export function teller(): (operation: FollowedOperation) => void {
  const tree = new Tree(screen, {
    indent: "   ",
    lasted: (seen) => duration(seen * simSpeed()),
  });
  return (operation) => tree.show(operation);
}
