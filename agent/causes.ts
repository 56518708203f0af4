/**
 * An error with its causes, outermost first, such as `TypeError: fetch failed: self-signed certificate`.
 * Leaves out what an outer error already contains.
 */
export function withCauses(error: unknown): string {
  let words = String(error);
  for (let cause = causeOf(error); cause !== undefined; cause = causeOf(cause)) {
    const more = cause instanceof Error ? cause.message : String(cause);
    if (!words.includes(more)) words += `: ${more}`;
  }
  return words;
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);
