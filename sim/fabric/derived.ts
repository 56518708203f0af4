/** What is computed from a list that nobody changes, once for each list: a changed list is another one. */
function derived<List extends object, T>(compute: (list: List) => T): (list: List) => T {
  const known = new WeakMap<List, { is: T }>();
  return (list) => {
    const is = known.get(list) ?? { is: compute(list) };
    known.set(list, is);
    return is.is;
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
