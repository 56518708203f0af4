import { simSpeed } from "../settings.ts";
import type { Operation } from "./api.ts";
import { say, sayBeside, sayForNow, styled } from "./screen.ts";

const nameWidth = 24;
/** The columns: mark, name, time. */
const columns = 3 + 3 + nameWidth + 8 + 2;
const barWidth = 20;
const turning = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

type Step = Operation["status"]["steps"][number];

/** Prints the request that is sent now, or what happens now without one. */
export function sayHeading(line: string): void {
  say();
  say(styled(["bold", "cyan"], line));
}

/** Prints an operation as it goes on: what each step waits for, and how long it took. */
export function teller(): (operation: Operation) => void {
  const ended = new Set<string>();
  /** When each running step was first seen, in real milliseconds. */
  const seen = new Map<string, number>();
  const told = new Map<string, string>();
  let shown = 0;
  return ({ status }) => {
    for (const step of status.steps) {
      if (ended.has(step.name)) continue;
      if (isOver(step)) {
        ended.add(step.name);
        sayStep(step, status.placement?.reason);
      } else if (goesOn(step)) {
        seen.set(step.name, seen.get(step.name) ?? Date.now());
        const wait = waitOf(step);
        if (wait === "" || wait === told.get(step.name)) continue;
        sayWait(step.name, wait, told.has(step.name));
        told.set(step.name, wait);
      }
    }
    shown += 1;
    const mark = styled("cyan", turning[shown % turning.length] ?? "");
    const busy = status.steps.filter(goesOn).map((step) => {
      const for_ = timeOf((Date.now() - (seen.get(step.name) ?? Date.now())) * simSpeed());
      const head = `   ${mark}  ${step.name.padEnd(nameWidth)}${for_.padStart(8)}  `;
      return { head, indent: columns, text: told.get(step.name) ?? "" };
    });
    sayForNow([...busy, { head: "      ", indent: 6, text: barOf(status.percent) }]);
  };
}

const isOver = ({ state }: Step): boolean => state === "SUCCEEDED" || state === "FAILED";
const goesOn = ({ state }: Step): boolean => state === "WAITING" || state === "RUNNING";

function sayStep(step: Step, placement: string | undefined): void {
  const mark = step.state === "SUCCEEDED" ? styled("green", "✔") : styled("red", "✘");
  const note = step.name === "ReserveCapacity" ? placement : step.message;
  const took = between(step.start_time, step.end_time).padStart(8);
  const head = `   ${mark}  ${styled("bold", step.name.padEnd(nameWidth))}${took}  `;
  sayBeside(head, columns, styled("dim", note ?? ""));
}

/** Prints what a step waits for, below its earlier waits. */
function sayWait(name: string, wait: string, isNamed: boolean): void {
  const head = isNamed ? " ".repeat(6 + nameWidth) : `   …  ${name.padEnd(nameWidth)}`;
  sayBeside(`${head}${" ".repeat(columns - 6 - nameWidth)}`, columns, styled("dim", wait));
}

function barOf(percent: number): string {
  const done = Math.round((percent / 100) * barWidth);
  return `${"█".repeat(done)}${"░".repeat(barWidth - done)} ${percent} %`;
}

/** The wait in a step's message, without the names of conditions and machines. */
function waitOf({ message = "" }: Step): string {
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
    return first.replace(/^(\w+: ){1,2}/, "");
  }
  const [, hosts] = /\(hosts are (.*)\)/.exec(message) ?? [];
  return `${sets.trim()} nodes${hosts ? `; hosts are ${hosts}` : ""}`;
}

/** Simulated time between two moments; empty when one is not known. */
const between = (from: string | undefined, to: string | undefined): string =>
  from && to ? timeOf(Date.parse(to) - Date.parse(from)) : "";

/** Formats milliseconds, such as `6m 02s`. */
function timeOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const rest = String(seconds % 60).padStart(2, "0");
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${rest}s`;
}
