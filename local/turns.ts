/**
 * Gives turns, one to each round of the event loop, in the order in which they were asked for. Work over
 * the store of local mode never waits for anything, so much of it at once would let no request in
 * between.
 */
export function turns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const give = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(give);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(give);
    });
}
