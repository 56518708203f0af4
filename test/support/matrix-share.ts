/**
 * Which cases of the matrix run. `npm run matrix` runs them all. `npm test` runs one of each state,
 * another one with each commit, so that every state of every saga is broken each time.
 */

const { MATRIX = "0" } = process.env;
const isWhole = MATRIX === "whole";
/** Turns by one from state to state: a saga is broken in every way that it has states for. */
const turn = Number.parseInt(MATRIX, 16) || 0;

/** The cases of a file, chosen state by state. */
export class Share {
  #states = 0;
  #all = 0;
  #chosen = 0;

  /** One of the cases of a state, or all. */
  of<Case>(cases: readonly Case[]): Case[] {
    const place = (turn + this.#states++) % Math.max(1, cases.length);
    const chosen = isWhole ? [...cases] : cases.slice(place, place + 1);
    this.#all += cases.length;
    this.#chosen += chosen.length;
    return chosen;
  }

  /** How many of how many, and how they are run again. */
  toString(): string {
    return `${this.#chosen} of ${this.#all} (the same again with MATRIX=${MATRIX})`;
  }
}
