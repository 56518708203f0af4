/** Something wrong at a place in a parsed document, before it is known how to name the place. */
export interface Issue {
  path: PropertyKey[];
  message: string;
}

/** Characters of a field after which what comes deeper is left out: names may be long, and many. */
const enough = 400;

/** A path as violations have it, such as `spec.nics[0].mac`. */
export function fieldOf(path: PropertyKey[]): string {
  return path.reduce<string>((field, part) => {
    if (field.length > enough) return field;
    if (typeof part === "number") return `${field}[${part}]`;
    return field === "" ? String(part) : `${field}.${String(part)}`;
  }, "");
}

/** The path that a field names; one whose keys hold dots is cut at them. */
export function pathOf(field: string): PropertyKey[] {
  return [...field.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([part, index]) =>
    index === undefined ? part : Number(index),
  );
}
