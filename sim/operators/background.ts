/** Work in real time that takes none on the world's clock, as making keys: one piece at a time for each object. */
export class Background {
  readonly #busy = new Map<string, Promise<void>>();

  /** Does work about the object of this uid, unless some is under way. */
  run(uid: string, work: () => Promise<void>): void {
    if (this.#busy.has(uid)) return;
    // Work fails only when it was overtaken: its object, or the whole world, is gone.
    const done = work()
      .catch(() => undefined)
      .finally(() => this.#busy.delete(uid));
    this.#busy.set(uid, done);
  }

  /** Resolves once nothing is under way. */
  async settled(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy.values());
  }
}
