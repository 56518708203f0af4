import type { PrivateOperation } from "../generated/answers.ts";
import sagas from "../generated/sagas.json" with { type: "json" };

/** The steps of an operation in the shape of its saga: sequences, and parallel branches. */

export type Operation = PrivateOperation;
export type Step = Operation["status"]["steps"][number];

/** A step, or parallel branches of steps. */
export type Part = { step: Step } | { name: string; branches: { name: string; steps: Step[] }[] };

export interface Shape {
  /** The steps forward, in the saga's order. */
  way: Part[];
  /** The steps that are undone, in the order of undoing; empty unless the saga turned back. */
  back: Step[];
  /** The usual seconds of its steps. */
  usual: Readonly<Record<string, number>>;
  /** The steps that are undone when the saga turns back. */
  undone: readonly string[];
}

const undo = "Undo ";

interface Saga {
  name: string;
  usual: Readonly<Record<string, number>>;
  undone: readonly string[];
  nodes: (string | { name: string; branches: { name: string; steps: string[] }[] })[];
}

// Each saga has other steps, so the type of the file has one member for each.
const all = sagas as unknown as readonly Saga[];

const stepsOf = ({ nodes }: Saga): string[] =>
  nodes.flatMap((node) =>
    typeof node === "string" ? [node] : node.branches.flatMap(({ steps }) => steps),
  );

/** The saga that has all these steps. Several sagas may share some steps. */
function sagaOf(names: readonly string[]): Saga | undefined {
  return all
    .filter((saga) => names.every((name) => stepsOf(saga).includes(name)))
    .toSorted((a, b) => stepsOf(a).length - stepsOf(b).length)[0];
}

/** The shape of an operation; a list of its steps when the saga is unknown to this console. */
export function shapeOf({ status }: Operation): Shape {
  // A stuck operation has a step `Stuck` at the place where it stopped, which is not in its saga.
  const stuck = status.steps.find(({ name }) => name === "Stuck");
  const shape = shapeWithout(status.steps.filter((step) => step !== stuck));
  const { way, back } = shape;
  if (!stuck) return shape;
  if (back.length > 0) return { ...shape, back: after(back, hasFailed, stuck) };
  const failed = (part: Part) => stepsIn(part).some(hasFailed);
  return { ...shape, way: after(way, failed, { step: stuck }) };
}

export const isOpen = ({ state }: Step): boolean => state === "RUNNING" || state === "WAITING";

const hasFailed = ({ state }: Step): boolean => state === "FAILED";

export const stepsIn = (part: Part): Step[] =>
  "step" in part ? [part.step] : part.branches.flatMap(({ steps }) => steps);

/** Inserts `more` after the last element for which `isSo` is true; at the end if there is none. */
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
  const { usual = {}, undone = [] } = saga ?? {};
  if (!saga) return { way: ways.map((step) => ({ step })), back, usual, undone };
  const take = (names: readonly string[]) => names.flatMap((name) => byName.get(name) ?? []);
  const way = saga.nodes.flatMap((node): Part[] => {
    if (typeof node === "string") return take([node]).map((step) => ({ step }));
    const branches = node.branches
      .map(({ name, steps: names }) => ({ name, steps: take(names) }))
      .filter(({ steps: some }) => some.length > 0);
    return branches.length > 0 ? [{ name: node.name, branches }] : [];
  });
  return { way, back, usual, undone };
}

/** Abbreviations in the names of steps, with their capital letters. */
const known: Record<string, string> = {
  Dns: "DNS",
  Ips: "IPs",
  Ip: "IP",
  Nat: "NAT",
  Dpus: "DPUs",
  Bfb: "BFB",
};

/** The state of a step; a step that is retried counts as waiting, and its message has the reason. */
export const stateOf = ({ state, message }: Step): string =>
  state === "RUNNING" && message ? "WAITING" : state;

/** A step's name as words: `Create layer2 network`. */
export function wordsOf(name: string): string {
  const bare = name.replace(undo, "");
  const [first = "", ...rest] = bare.split(/(?=[A-Z])/);
  const words = [first, ...rest.map((word) => known[word] ?? word.toLowerCase())].join(" ");
  return bare === name ? words : `Undo: ${words}`;
}
