/** Claims of a token that was verified. */
export type Claims = Record<string, unknown>;

/** A claim by its name; where there is none of that name, by its path, such as `realm_access.roles`. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split(".")
    .reduce<unknown>(
      (part, member) =>
        typeof part === "object" && part !== null && Object.hasOwn(part, member)
          ? Reflect.get(part, member)
          : undefined,
      claims,
    );
}

/** The names in a claim: one, a list, or the keys of an object. Text is a name as it stands. */
export function namesIn(claim: unknown): string[] {
  if (typeof claim === "string") return claim === "" ? [] : [claim];
  if (Array.isArray(claim)) return claim.filter((name) => typeof name === "string" && name !== "");
  return typeof claim === "object" && claim !== null ? Object.keys(claim) : [];
}
