/**
 * Does `work` for each item, at most `most` of them at a time; they begin in their order. Resolves when
 * all are done, and rejects with the first error.
 */
export async function atOnce<T>(
  most: number,
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const source =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = await source.next(); !next.done; next = await source.next())
      await work(next.value);
  };
  await Promise.all(Array.from({ length: most }, worker));
}
