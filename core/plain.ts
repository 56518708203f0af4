/**
 * The JSON value without its undefined members, which JSON does not have. Frozen parts are shared with the input: a
 * store freezes its answers (`frozen.ts`), and those are JSON already.
 */
export function plain<T>(value: T): T {
  // JSON has one zero; adding 0 turns -0 into it.
  if (typeof value === "number") return (value + 0) as T;
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  // The result has the type of the value, since only optional members are undefined.
  if (Array.isArray(value))
    return value.map((each) => (each === undefined ? null : plain(each))) as T;
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    // A plain assignment to this name would set the prototype instead of a member.
    if (name === "__proto__")
      Object.defineProperty(members, name, { ...own, value: plain(member) });
    else members[name] = plain(member);
  }
  return members as T;
}

const own = { configurable: true, enumerable: true, writable: true };
