/**
 * The JSON value without its undefined members, which JSON has not. It shares what is frozen with the value:
 * a store freezes what it gives (`frozen.ts`), and that is JSON already.
 */
export function plain<T>(value: T): T {
  // JSON knows one zero; a sum with -0 is that too.
  if (typeof value === "number") return (value + 0) as T;
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  // The type is that of the value, whose undefined members are optional ones.
  if (Array.isArray(value))
    return value.map((each) => (each === undefined ? null : plain(each))) as T;
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    // An assignment to this name would make no member.
    if (name === "__proto__")
      Object.defineProperty(members, name, { ...own, value: plain(member) });
    else members[name] = plain(member);
  }
  return members as T;
}

const own = { configurable: true, enumerable: true, writable: true };
