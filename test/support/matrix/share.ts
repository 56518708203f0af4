/**
 * Which cases of the matrix run. `npm run matrix` runs them all. `npm test` runs one of each state,
 * another one with each commit, so that every state of every saga is broken each time.
 */

/** From where a state is broken: in its code, by the world outside, or by a cancel or a deletion after it. */
export type Sort = "inside" | "outside" | "stop";

/** A state, and all sorts of cases that it has: one of them runs. */
export interface StateOfMatrix {
  name: string;
  sorts: readonly Sort[];
}

/** The cases of a file, chosen state by state. */
export class Share {
  readonly #matrix: string;
  #all = 0;
  #chosen = 0;

  /** `matrix` is `whole`, or a hexadecimal number: a commit's. */
  constructor(matrix = process.env.MATRIX ?? "0") {
    this.#matrix = matrix;
  }

  /** All cases of a sort that a state has; or one if it is the turn of that sort, and none if it is not. */
  of<Case>({ name, sorts }: StateOfMatrix, sort: Sort, cases: readonly Case[]): Case[] {
    const turn = Number.parseInt(this.#matrix, 16) + numberOf(name);
    const place = Math.floor(turn / sorts.length) % Math.max(1, cases.length);
    const isNext = sorts[turn % sorts.length] === sort;
    const one = isNext ? cases.slice(place, place + 1) : [];
    const chosen = this.#matrix === "whole" ? [...cases] : one;
    this.#all += cases.length;
    this.#chosen += chosen.length;
    return chosen;
  }

  /** How many cases there are, in this share and not. */
  get all(): number {
    return this.#all;
  }

  /** How many of how many, and how they are run again. */
  toString(): string {
    return `${this.#chosen} of ${this.#all} (the same again with MATRIX=${this.#matrix})`;
  }
}

/** The same for a name each time, so that the files of a saga agree on the turns of its states. */
const numberOf = (name: string): number =>
  Array.from(name).reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
