/**
 * Schedules work: one piece in each round of the event loop, in the order of requests. Work on the local store never
 * waits for I/O, so that much of it at once would block requests.
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
