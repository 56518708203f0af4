/** Kinds whose objects are work on other objects. They have no names, and people look for those that are stuck. */
const works: ReadonlySet<string> = new Set(["operation"]);

export const isWork = (kind: string): boolean => works.has(kind);
