import { createHash } from "node:crypto";

/** A hash over everything that happened, in order. */
export class Trace {
  readonly #hash = createHash("sha256");
  #lines = 0;

  add(...parts: readonly (string | number)[]): void {
    this.#lines += 1;
    this.#hash.update(`${parts.join(" ")}\n`);
  }

  /** The number of things that happened. */
  get lines(): number {
    return this.#lines;
  }

  /** The hash up to here. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}
