/**
 * Does `work` for each item, at most `most` at a time, and begins them in order. Resolves when all are done. A failed
 * item does not stop the others: the first error is thrown at the end.
 */
export async function atOnce<T>(
  most: number,
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const source =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = await source.next(); !next.done; next = await source.next())
      await work(next.value).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: most }, worker));
  if (failures.length > 0) throw failures[0];
}
