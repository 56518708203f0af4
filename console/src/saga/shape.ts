import type { PrivateOperation } from "../generated/answers.ts";
import sagas from "../generated/sagas.json" with { type: "json" };

/** An operation as its saga has it: what follows on what, and what runs side by side. */

export type Operation = PrivateOperation;
export type Step = Operation["status"]["steps"][number];

/** Steps one after the other, or branches side by side. */
export type Part = { step: Step } | { name: string; branches: { name: string; steps: Step[] }[] };

export interface Shape {
  /** Forwards, in the saga's order. */
  way: Part[];
  /** What is undone, in the order in which that happens; empty while nothing turns back. */
  back: Step[];
}

const undo = "Undo ";

interface Saga {
  name: string;
  nodes: (string | { name: string; branches: { name: string; steps: string[] }[] })[];
}

const stepsOf = ({ nodes }: Saga): string[] =>
  nodes.flatMap((node) =>
    typeof node === "string" ? [node] : node.branches.flatMap(({ steps }) => steps),
  );

/** The saga whose steps these are: several may share some, and one has them all. */
function sagaOf(names: readonly string[]): Saga | undefined {
  const all: readonly Saga[] = sagas;
  return all
    .filter((saga) => names.every((name) => stepsOf(saga).includes(name)))
    .toSorted((a, b) => stepsOf(a).length - stepsOf(b).length)[0];
}

/** The shape of an operation. A saga that this console does not know is a plain list. */
export function shapeOf({ status }: Operation): Shape {
  // An operation that is stuck waits where it could not continue, which is no step of its saga.
  const stuck = status.steps.find(({ name }) => name === "Stuck");
  const { way, back } = shapeWithout(status.steps.filter((step) => step !== stuck));
  if (!stuck) return { way, back };
  if (back.length > 0) return { way, back: after(back, hasFailed, stuck) };
  const failed = (part: Part) => stepsIn(part).some(hasFailed);
  return { way: after(way, failed, { step: stuck }), back };
}

const hasFailed = ({ state }: Step): boolean => state === "FAILED";

const stepsIn = (part: Part): Step[] =>
  "step" in part ? [part.step] : part.branches.flatMap(({ steps }) => steps);

/** The list with one more after the last that is so; at the end if none is. */
function after<T>(list: readonly T[], isSo: (each: T) => boolean, more: T): T[] {
  const last = list.findLastIndex(isSo);
  return list.toSpliced(last === -1 ? list.length : last + 1, 0, more);
}

function shapeWithout(steps: readonly Step[]): Shape {
  const isDeletion = steps.every(({ name }) => name.startsWith(undo) || /^Archive/.test(name));
  const ways = isDeletion ? [...steps] : steps.filter(({ name }) => !name.startsWith(undo));
  const back = isDeletion ? [] : steps.filter(({ name }) => name.startsWith(undo));
  const saga = sagaOf(ways.map(({ name }) => name));
  const byName = new Map(ways.map((step) => [step.name, step]));
  if (!saga) return { way: ways.map((step) => ({ step })), back };
  const take = (names: readonly string[]) => names.flatMap((name) => byName.get(name) ?? []);
  const way = saga.nodes.flatMap((node): Part[] => {
    if (typeof node === "string") return take([node]).map((step) => ({ step }));
    const branches = node.branches
      .map(({ name, steps: names }) => ({ name, steps: take(names) }))
      .filter(({ steps: some }) => some.length > 0);
    return branches.length > 0 ? [{ name: node.name, branches }] : [];
  });
  return { way, back };
}

/** Words that are written in capitals, as they stand in the names of steps. */
const known: Record<string, string> = {
  Dns: "DNS",
  Ips: "IPs",
  Ip: "IP",
  Nat: "NAT",
  Dpus: "DPUs",
  Bfb: "BFB",
};

/** The state of a step: one that is tried again waits, as it says why. */
export const stateOf = ({ state, message }: Step): string =>
  state === "RUNNING" && message ? "WAITING" : state;

/** A step's name as words: `Create layer2 network`. */
export function wordsOf(name: string): string {
  const bare = name.replace(undo, "");
  const [first = "", ...rest] = bare.split(/(?=[A-Z])/);
  const words = [first, ...rest.map((word) => known[word] ?? word.toLowerCase())].join(" ");
  return bare === name ? words : `Undo: ${words}`;
}
