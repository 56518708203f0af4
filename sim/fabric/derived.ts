/** Caches a computation by its argument, which is immutable: a changed value is a new object. */
export function derived<From extends object, T>(compute: (from: From) => T): (from: From) => T {
  const known = new WeakMap<From, { is: T }>();
  return (from) => {
    const found = known.get(from);
    if (found) return found.is;
    const is = compute(from);
    known.set(from, { is });
    return is;
  };
}

/** Groups a list by a key; each group keeps the list's order. */
export function grouped<T>(
  keyOf: (member: T) => string | undefined,
): (list: readonly T[], key: string) => readonly T[] {
  const groups = derived((list: readonly T[]) => Map.groupBy(list, keyOf));
  return (list, key) => groups(list).get(key) ?? none;
}

const none: readonly never[] = [];
