/**
 * Work that begins before it is known whether its outcome is wanted: who waits for it is told what went
 * wrong, and if nobody does, nobody is.
 */
export function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}
