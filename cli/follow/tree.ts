import type { Screen, Style } from "../around.ts";
import { shellWord } from "../output/shell-word.ts";
import { heightOf, wrappedText } from "../output/table.ts";
import { between, duration } from "../output/values.ts";
import { type FollowedOperation, type FollowedStep, hasEnded } from "./operation.ts";

/** Steps in a demo, whose text already says what is ordered and how it ends. */
export interface Telling {
  /** The text before each line. */
  indent: string;
  /** The duration of a step that was first seen running so many milliseconds ago. */
  lasted(seen: number): string;
}

/**
 * The steps of an operation as they proceed. On a terminal, running steps are redrawn in place below the ended
 * ones; elsewhere each turn is a line.
 */
export class Tree {
  readonly #screen: Screen;
  readonly #telling: Telling | undefined;
  /** When each step was first seen running, by its index. */
  readonly #seen = new Map<number, number>();
  /** What was printed of each step, by its index. */
  readonly #told = new Map<number, string>();
  /** The number of lines at the bottom that the next output replaces. */
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
      // A story shows only running steps with a message, and all ended steps.
      if (this.#telling && !isOver(step) && step.message === "") continue;
      this.#step(step, { placement: operation.placement });
    }
    if (!hasEnded(operation)) this.#now(operation);
    else if (!this.#telling) this.#end(operation);
  }

  /** Prints a line that is not a step. */
  say(text: string): void {
    this.#takeBack();
    this.#line(text);
  }

  /** Prints a step; the step that found a place also shows the place and the reason. */
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

  /** The duration of a step in a story; empty elsewhere. */
  #lasted(n: number): string {
    if (!this.#telling) return "";
    const seen = this.#seen.get(n) ?? Date.now();
    this.#seen.set(n, seen);
    return this.#telling.lasted(Date.now() - seen);
  }

  /** Shows the running steps, on a terminal only, since they are replaced. */
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

  /** Prints a text next to a label, and answers its number of lines. */
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

/** Each state has a sign and a word, so that colour is not required. */
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

/** The expected end; once that has passed, how late the operation is. */
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
    ...(cancelRequested ? ["a cancel was requested"] : []),
  ];
  return parts.join(" · ");
}
