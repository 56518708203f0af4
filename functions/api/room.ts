/**
 * Bytes of items in one answer. Lambda's limit is 6 MB, which counts the answer as text within its
 * own JSON, and an answer has more than its items.
 */
const answerLimit = 5 * 1024 * 1024;

/**
 * The room that is left in an answer. The first item always fits, because no stored object is so
 * large.
 */
export class Room {
  #taken = 0;

  /** Whether the text fits as the client will read it; then it takes its room. */
  take(text: string): boolean {
    const size = Buffer.byteLength(JSON.stringify(text));
    if (this.#taken > 0 && this.#taken + size > answerLimit) return false;
    this.#taken += size;
    return true;
  }
}
