import { createHash } from "node:crypto";

/** A hash of all events, in order. */
export class Trace {
  readonly #hash = createHash("sha256");
  #lines = 0;

  add(...parts: readonly (string | number)[]): void {
    this.#lines += 1;
    this.#hash.update(`${parts.join(" ")}\n`);
  }

  /** The number of events. */
  get lines(): number {
    return this.#lines;
  }

  /** The hash of the events so far. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}
