/**
 * The most bytes of items in one answer. Lambda's limit of 6 MB applies to the answer as an escaped string in its
 * own JSON, and an answer has more than its items.
 */
const answerLimit = 5 * 1024 * 1024;

/**
 * Whether the client disconnected while it sent its body: then the error is not Slipway's, and nobody reads the
 * answer.
 */
export class Room {
  #taken = 0;

  /** OSAC's HTTP status, with the header that RFC 9110 requires for it. */
  take(text: string): boolean {
    const size = Buffer.byteLength(JSON.stringify(text));
    if (this.#taken > 0 && this.#taken + size > answerLimit) return false;
    this.#taken += size;
    return true;
  }
}
