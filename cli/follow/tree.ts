import type { Screen, Style } from "../around.ts";
import { shellWord } from "../output/shell-word.ts";
import { heightOf, wrappedText } from "../output/table.ts";
import { between, duration } from "../output/values.ts";
import { type FollowedOperation, type FollowedStep, hasEnded } from "./operation.ts";

/** How steps are told within a story, which says itself what is ordered and how it ends. */
export interface Telling {
  /** Before each line. */
  indent: string;
  /** How long a step has continued that was first seen so many milliseconds ago. */
  lasted(seen: number): string;
}

/**
 * The steps of an operation as they go. On a terminal the open ones are drawn again in their place, below those that
 * have ended; elsewhere each turn is a line.
 */
export class Tree {
  readonly #screen: Screen;
  readonly #telling: Telling | undefined;
  /** When each step was first seen to continue, by its place. */
  readonly #seen = new Map<number, number>();
  /** What was printed of each step, by its place. */
  readonly #told = new Map<number, string>();
  /** Lines at the bottom that the next output replaces. */
  #passing = 0;
  #isBegun: boolean;
  #isEnded = false;

  constructor(screen: Screen, telling?: Telling) {
    this.#screen = screen;
    this.#telling = telling;
    this.#isBegun = telling !== undefined;
  }

  show(operation: FollowedOperation): void {
    this.#takeBack();
    if (!this.#isBegun) {
      const { change, target, id } = operation;
      this.#line(`${change} ${target.kind} ${target.name}  operation ${id}`, "bold");
      this.#isBegun = true;
    }
    const { steps } = operation;
    for (const [n, step] of steps.entries()) {
      if (this.#screen.isTerminal && !isOver(step)) continue;
      if (step.state === "PENDING") continue;
      const turn = `${step.state} ${step.message}`;
      if (this.#told.get(n) === turn) continue;
      this.#told.set(n, turn);
      // A story tells what is waited for, and what has come of it.
      if (this.#telling && !isOver(step) && step.message === "") continue;
      this.#step(step, { placement: operation.placement });
    }
    if (!hasEnded(operation)) this.#now(operation);
    else if (!this.#telling) this.#end(operation);
  }

  /** Says something that is no step. */
  say(text: string): void {
    this.#takeBack();
    this.#line(text);
  }

  /** The step that has found a place says which and why. */
  #step(step: FollowedStep, { placement = "", lasted = "" } = {}): number {
    const { glyph, style } = looks[step.state] ?? { glyph: "·", style: "dim" as const };
    const took = between(step.start, step.end);
    const tries = step.attempts > 1 && !isOver(step) ? `try ${step.attempts}` : "";
    const time = took || tries || lasted || step.state.toLowerCase();
    const head = `${glyph} ${step.name.padEnd(30)} ${time.padStart(9)}  `;
    const found = step.name === "ReserveCapacity" && step.state === "SUCCEEDED" ? placement : "";
    return this.#beside(head, step.message || found, style);
  }

  get #indent(): string {
    return this.#telling?.indent ?? "";
  }

  /** How long a step takes; empty where nobody knows how fast Slipway's time goes by. */
  #lasted(n: number): string {
    if (!this.#telling) return "";
    const seen = this.#seen.get(n) ?? Date.now();
    this.#seen.set(n, seen);
    return this.#telling.lasted(Date.now() - seen);
  }

  /** What is going on, on a terminal alone: it is taken back. */
  #now(operation: FollowedOperation): void {
    if (!this.#screen.isTerminal) return;
    let lines = 0;
    for (const [n, step] of operation.steps.entries())
      if (!isOver(step) && step.state !== "PENDING")
        lines += this.#step(step, { lasted: this.#lasted(n) });
    lines += this.#beside("  ", progressOf(operation), "dim");
    this.#passing = lines;
  }

  #end(operation: FollowedOperation): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { state, failure, id } = operation;
    const { glyph, style } = looks[state] ?? { glyph: "·", style: "dim" as const };
    this.#beside(`${glyph} ${state}  `, failure, style);
    if (state === "STUCK")
      this.#line(
        `  operator action required. When the cause is gone: slipway operation resume ${shellWord(id)}`,
      );
  }

  /** Prints a text beside a head, never shortened. Answers how many lines that takes. */
  #beside(head: string, text: string, style: Style): number {
    const { isTerminal } = this.#screen;
    const columns = this.#screen.columns - this.#indent.length;
    const room = Math.max(20, columns - head.length);
    const [first = "", ...rest] = isTerminal || this.#telling ? wrappedText(text, room) : [text];
    const under = " ".repeat(Math.max(0, Math.min(head.length, columns - 20)));
    const lines = [`${head}${first}`.trimEnd(), ...rest.map((line) => `${under}${line}`)];
    for (const line of lines) this.#line(line, style);
    return heightOf(
      lines.map((line) => `${this.#indent}${line}`),
      this.#screen,
    );
  }

  #line(text: string, style?: Style): void {
    const shown = style && this.#screen.isTerminal ? this.#screen.styled(style, text) : text;
    this.#screen.write(`${this.#indent}${shown}\n`);
  }

  #takeBack(): void {
    if (this.#passing > 0) this.#screen.write(`\u001b[${this.#passing}A\u001b[0J`);
    this.#passing = 0;
  }
}

/** A state is told by a sign and a word, not by colour alone. */
const looks: Record<string, { glyph: string; style: Style }> = {
  SUCCEEDED: { glyph: "✔", style: "green" },
  FAILED: { glyph: "✘", style: "red" },
  STUCK: { glyph: "⏸", style: "red" },
  CANCELLED: { glyph: "○", style: "yellow" },
  SKIPPED: { glyph: "○", style: "dim" },
  RUNNING: { glyph: "◐", style: "dim" },
  WAITING: { glyph: "◷", style: "yellow" },
};

const isOver = ({ state }: FollowedStep): boolean => /^(SUCCEEDED|FAILED|SKIPPED)$/.test(state);

const barWidth = 20;

/** When it is likely to be done; once that is over, how late it is. */
function expected({ estimate, usual, beyond, start }: FollowedOperation): string[] {
  if (!estimate) return [];
  if (beyond === 0) return [`done about ${estimate.slice(11, 19)} if nothing has to be waited for`];
  const passed = Date.parse(estimate) + beyond * 1000 - Date.parse(start);
  if (!usual || Number.isNaN(passed)) return [`late by ${duration(beyond * 1000)}`];
  return [`late: usually ${duration(usual * 1000)}, now ${duration(passed)}`];
}

function progressOf(operation: FollowedOperation): string {
  const { state, percent, deadline, stalled, queuePosition, cancelRequested } = operation;
  const done = Math.round((percent / 100) * barWidth);
  const bar = `${"█".repeat(done)}${"░".repeat(barWidth - done)}`;
  const parts = [
    `${bar} ${state} ${percent} %`,
    ...(queuePosition === undefined ? [] : [`position ${queuePosition} in the queue`]),
    ...expected(operation),
    ...(deadline ? [`times out at ${deadline.slice(11, 19)}`] : []),
    ...(stalled ? [`stalled: ${stalled}`] : []),
    ...(cancelRequested ? ["it was asked to stop"] : []),
  ];
  return parts.join(" · ");
}
