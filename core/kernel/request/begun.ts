/**
 * Marks the rejection of early work as handled. Work may begin before anybody needs its result. Code that awaits the
 * result still gets the error; otherwise the error is dropped.
 */
export function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}
