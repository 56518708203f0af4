/**
 * The most bytes of items in one answer. Lambda's limit of 6 MB applies to the answer as an escaped string in its
 * own JSON, and an answer has more than its items.
 */
const answerLimit = 5 * 1024 * 1024;

/**
 * The room that is left in an answer. The first item always fits, because no stored object is that
 * large.
 */
export class Room {
  #taken = 0;

  /** Whether the text fits, in the form that the client reads; if so, its size is subtracted. */
  take(text: string): boolean {
    const size = Buffer.byteLength(JSON.stringify(text));
    if (this.#taken > 0 && this.#taken + size > answerLimit) return false;
    this.#taken += size;
    return true;
  }
}
