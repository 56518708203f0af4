/**
 * Bytes of items in one answer. Lambda ends at 6 MB, which counts the answer as text within its own
 * JSON, and some of it is not items.
 */
const answerLimit = 5 * 1024 * 1024;

/** What still fits into an answer. The first item always does: nothing that is stored is so large. */
export class Room {
  #taken = 0;

  /** Whether the text, as the client will read it, fits in; then its room is taken. */
  take(text: string): boolean {
    const size = Buffer.byteLength(JSON.stringify(text));
    if (this.#taken > 0 && this.#taken + size > answerLimit) return false;
    this.#taken += size;
    return true;
  }
}
