/** The claims of a verified token. */
export type Claims = Record<string, unknown>;

/** Finds a claim by its name, or else by its path, such as `realm_access.roles`. */
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

/** The names in a claim: a text is one name, a list has several, and an object's keys are names. */
export function namesIn(claim: unknown): string[] {
  if (typeof claim === "string") return claim === "" ? [] : [claim];
  if (Array.isArray(claim)) return claim.filter((name) => typeof name === "string" && name !== "");
  return typeof claim === "object" && claim !== null ? Object.keys(claim) : [];
}
