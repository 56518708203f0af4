import { type PatternNode, parsePattern } from "./pattern-syntax.ts";

/**
 * A matcher for authors' regular expressions on tenants' values. JavaScript's own engine backtracks, for some patterns
 * for hours; this one follows all alternatives in parallel, so its time is at most the value's length times the
 * pattern's size. It refuses patterns with lookaround or back references, which cannot be matched so. Written by hand:
 * in re2js \s, the dot and characters beyond 16 bits differ from JSON Schema, and it is 150 KB.
 */

/** The limit, in characters, for a value that a pattern checks. */
export const judgedLength = 1024;
/** The limit for the steps of a pattern after its repetitions are expanded. */
const sizeLimit = 1000;

type PatternStep =
  | { is: "character"; matches: (character: string) => boolean }
  | { is: "place"; holds: (text: string, at: number) => boolean }
  | { is: "fork"; to: number[] };

/** The fault of a pattern; undefined if it can be used. */
export function patternFault(pattern: string): string | undefined {
  const compiled = compile(pattern);
  return typeof compiled === "string" ? compiled : undefined;
}

/** Whether a text contains a match of a pattern. A faulty pattern matches nothing. */
export function isFound(pattern: string, text: string): boolean {
  const steps = compile(pattern);
  if (typeof steps === "string" || text.length > judgedLength) return false;
  let current: number[] = [];
  for (let at = 0; at <= text.length; at++) {
    // A match may begin at any position.
    const reached = reach(steps, [...current, 0], text, at);
    if (reached.has(steps.length)) return true;
    const character = text.charAt(at);
    current = [...reached].flatMap((n) => {
      const step = steps[n];
      return step?.is === "character" && at < text.length && step.matches(character) ? [n + 1] : [];
    });
  }
  return false;
}

/** Adds every step that can be reached without consuming a character. */
function reach(steps: PatternStep[], from: number[], text: string, at: number): Set<number> {
  const seen = new Set<number>();
  const open = [...from];
  for (let n = open.pop(); n !== undefined; n = open.pop()) {
    if (seen.has(n)) continue;
    seen.add(n);
    const step = steps[n];
    if (step?.is === "fork") open.push(...step.to);
    else if (step?.is === "place" && step.holds(text, at)) open.push(n + 1);
  }
  return seen;
}

function compile(pattern: string): PatternStep[] | string {
  const parsed = parsePattern(pattern);
  if ("fault" in parsed) return parsed.fault;
  if (sizeOf(parsed.node) > sizeLimit)
    return `repeats too much: written out it has more than ${sizeLimit} parts`;
  const steps: PatternStep[] = [];
  write(parsed.node, steps);
  return steps;
}

function sizeOf(node: PatternNode): number {
  switch (node.is) {
    case "sequence":
    case "choice":
      return node.parts.reduce((sum, part) => sum + sizeOf(part) + 1, 1);
    case "repeat":
      return (sizeOf(node.part) + 2) * Math.max(1, node.min + 1, node.max ?? 0);
    default:
      return 1;
  }
}

function write(node: PatternNode, steps: PatternStep[]): void {
  if (node.is === "sequence") for (const part of node.parts) write(part, steps);
  else if (node.is === "choice") writeChoice(node.parts, steps);
  else if (node.is === "repeat") writeRepeat(node, steps);
  else steps.push(node);
}

function writeChoice(parts: PatternNode[], steps: PatternStep[]): void {
  const fork = { is: "fork" as const, to: [] as number[] };
  steps.push(fork);
  const exits = parts.map((part) => {
    fork.to.push(steps.length);
    write(part, steps);
    const exit = { is: "fork" as const, to: [] as number[] };
    steps.push(exit);
    return exit;
  });
  for (const exit of exits) exit.to.push(steps.length);
}

function writeRepeat(
  { part, min, max }: Extract<PatternNode, { is: "repeat" }>,
  steps: PatternStep[],
): void {
  for (let n = 0; n < min; n++) write(part, steps);
  const forks: { is: "fork"; to: number[] }[] = [];
  const optionally = () => {
    const fork = { is: "fork" as const, to: [steps.length + 1] };
    forks.push(fork);
    steps.push(fork);
    write(part, steps);
  };
  if (max === undefined) {
    const start = steps.length;
    optionally();
    steps.push({ is: "fork", to: [start] });
  } else {
    for (let n = min; n < max; n++) optionally();
  }
  for (const fork of forks) fork.to.push(steps.length);
}
