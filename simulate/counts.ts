/** Counts by name. */
export type Counts = Record<string, number>;

export const count = (counts: Counts, name: string, by = 1): void => {
  counts[name] = (counts[name] ?? 0) + by;
};

export const sum = (counts: Counts): number => Object.values(counts).reduce((all, n) => all + n, 0);

/** A text without the parts of a single object: ids, names, numbers and times. */
export const pattern = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "…")
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…")
    .replace(/\b(slipway-)?[a-z][a-z0-9]{9}\b(-[a-z0-9]+)*(?=.*)/g, (word) =>
      /\d/.test(word) ? "…" : word,
    )
    .replace(/\b\d+(\.\d+)*(\/\d+)?\b/g, "…");
