/**
 * Marks the rejection of early work as handled. The work begins before it is known whether its result
 * is needed: code that awaits it still gets the error, and an error that nothing awaits is dropped.
 */
export function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}
