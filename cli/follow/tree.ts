import type { Screen, Style } from "../around.ts";
import { heightOf, wrapped } from "../output/table.ts";
import { between } from "../output/values.ts";
import { hasEnded, type Operation, type Step } from "./operation.ts";

/**
 * The steps of an operation as they go. On a terminal the open ones are drawn again in their place, below those that
 * have ended; elsewhere each turn is a line.
 */
export class Tree {
  readonly #screen: Screen;
  /** What was told of each step, by its place. */
  readonly #told = new Map<number, string>();
  /** Lines at the bottom that the next output replaces. */
  #passing = 0;
  #isBegun = false;
  #isEnded = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  show(operation: Operation): void {
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
      this.#step(step, operation.placement);
    }
    if (hasEnded(operation)) this.#end(operation);
    else this.#now(operation);
  }

  /** Says something that is no step. */
  say(text: string): void {
    this.#takeBack();
    this.#line(text);
  }

  /** The step that has found a place says which and why. */
  #step(step: Step, placement = ""): number {
    const { glyph, style } = looks[step.state] ?? { glyph: "·", style: "dim" as const };
    const took = between(step.start, step.end);
    const tries = step.attempts > 1 && !isOver(step) ? `try ${step.attempts}` : "";
    const head = `${glyph} ${step.name.padEnd(30)} ${(took || tries || step.state.toLowerCase()).padStart(9)}  `;
    const found = step.name === "ReserveCapacity" && step.state === "SUCCEEDED" ? placement : "";
    return this.#beside(head, step.message || found, style);
  }

  /** What is going on, on a terminal alone: it is taken back. */
  #now(operation: Operation): void {
    if (!this.#screen.isTerminal) return;
    const open = operation.steps.filter((step) => !isOver(step) && step.state !== "PENDING");
    let lines = 0;
    for (const step of open) lines += this.#step(step);
    lines += this.#beside("  ", progressOf(operation), "dim");
    this.#passing = lines;
  }

  #end(operation: Operation): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { state, failure, id } = operation;
    const { glyph, style } = looks[state] ?? { glyph: "·", style: "dim" as const };
    this.#beside(`${glyph} ${state}  `, failure, style);
    if (state === "STUCK")
      this.#line(`  it needs a person. When the cause is gone: slipway operation resume ${id}`);
  }

  /** Prints a text beside a head, never shortened. Answers how many lines that takes. */
  #beside(head: string, text: string, style: Style): number {
    const { isTerminal, columns } = this.#screen;
    const room = Math.max(20, columns - head.length);
    const [first = "", ...rest] = isTerminal ? wrapped(text, room) : [text];
    const indent = " ".repeat(Math.min(head.length, columns - 20));
    const lines = [`${head}${first}`.trimEnd(), ...rest.map((line) => `${indent}${line}`)];
    for (const line of lines) this.#line(line, style);
    return heightOf(lines, this.#screen);
  }

  #line(text: string, style?: Style): void {
    const shown = style && this.#screen.isTerminal ? this.#screen.styled(style, text) : text;
    this.#screen.write(`${shown}\n`);
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

const isOver = ({ state }: Step): boolean => /^(SUCCEEDED|FAILED|SKIPPED)$/.test(state);

function progressOf(operation: Operation): string {
  const { state, percent, estimate, deadline, stalled, queuePosition, cancelRequested } = operation;
  const parts = [
    `${state} ${percent} %`,
    ...(queuePosition === undefined ? [] : [`place ${queuePosition} in the queue`]),
    ...(estimate ? [`done about ${estimate.slice(11, 19)} if nothing has to be waited for`] : []),
    ...(deadline ? [`gives up at ${deadline.slice(11, 19)}`] : []),
    ...(stalled ? [`stalled: ${stalled}`] : []),
    ...(cancelRequested ? ["it was asked to stop"] : []),
  ];
  return parts.join(" · ");
}
