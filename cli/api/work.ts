/**
 * Kinds whose objects are the work on others: they have no names of their own, and people look for those that do not
 * continue.
 */
const works: ReadonlySet<string> = new Set(["operation"]);

export const isWork = (kind: string): boolean => works.has(kind);
