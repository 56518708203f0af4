/** What is computed from a value that nobody changes, once for each value: a changed one is another one. */
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

/** Finds the members of a list by a key, in their order. */
export function grouped<T>(
  keyOf: (member: T) => string | undefined,
): (list: readonly T[], key: string) => readonly T[] {
  const groups = derived((list: readonly T[]) => Map.groupBy(list, keyOf));
  return (list, key) => groups(list).get(key) ?? none;
}

const none: readonly never[] = [];
