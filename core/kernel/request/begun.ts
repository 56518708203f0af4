/**
 * Marks the rejection of early work as handled, for work that begins before its result is known to be needed. Code that
 * awaits the work still gets the error; otherwise the error is dropped.
 */
export function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}
