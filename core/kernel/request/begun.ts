/**
 * Marks the rejection of early work as handled. Work may begin before anybody needs its result. Code that awaits the
 * result still gets the error; otherwise the error is dropped.
 */
export function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

/**
 * A search that is run once for each thing that is named, however often it is asked for: so it can begin before it is
 * certain to be needed.
 */
export function onceEach<Named, Found>(
  search: (named: Named) => Promise<Found>,
): (named: Named) => Promise<Found> {
  const begunFor = new Map<string, Promise<Found>>();
  return (named) => {
    const key = JSON.stringify(named);
    const found = begunFor.get(key) ?? search(named);
    begunFor.set(key, found);
    return found;
  };
}
