/**
 * Marks the rejection of early work as handled. Work may begin before it is known whether its result is needed:
 * code that awaits it still gets the error; otherwise the error is dropped.
 */
export function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}
