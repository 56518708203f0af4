/**
 * Which cases of the matrix run. `npm run matrix` runs them all. `npm test` runs one of each state,
 * another one with each commit, so that every state of every saga is broken each time.
 */

/** The cases of a file, chosen state by state. */
export class Share {
  readonly #matrix: string;
  #states = 0;
  #all = 0;
  #chosen = 0;

  /** `matrix` is `whole`, or a hexadecimal number: a commit's. */
  constructor(matrix = process.env.MATRIX ?? "0") {
    this.#matrix = matrix;
  }

  /** One of the cases of a state, or all. From state to state it is the next one's turn. */
  of<Case>(cases: readonly Case[]): Case[] {
    const turn = Number.parseInt(this.#matrix, 16) + this.#states++;
    const place = turn % Math.max(1, cases.length);
    const chosen = this.#matrix === "whole" ? [...cases] : cases.slice(place, place + 1);
    this.#all += cases.length;
    this.#chosen += chosen.length;
    return chosen;
  }

  /** How many of how many, and how they are run again. */
  toString(): string {
    return `${this.#chosen} of ${this.#all} (the same again with MATRIX=${this.#matrix})`;
  }
}
