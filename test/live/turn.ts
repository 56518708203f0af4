/** What came of a program's turn. */
export interface Turn {
  /** What its scripts have reported, by field: each `program` once it is up, `skipped` where one cannot be had. */
  said: ReadonlyMap<string, readonly string[]>;
  /** Undefined where it was ended because it took too long. */
  code: number | undefined;
  passed: number;
  all: number;
}

export interface Outcome {
  program: string;
  cases: string;
  hasFailed: boolean;
}

/** Whether a turn was skipped, has succeeded or has failed. Only what never was up is skipped: our tests may hang. */
export function outcomeOf(
  { name, limit, scripts }: { name: string; limit: number; scripts: readonly string[] },
  { said, code, passed, all }: Turn,
): Outcome {
  const skipped = said.get("skipped")?.join("; ");
  if (skipped !== undefined) return { program: skipped, cases: "skipped", hasFailed: false };
  const programs = said.get("program") ?? [];
  const up = programs.length === scripts.length ? programs.join(", ") : undefined;
  if (code === undefined)
    return up === undefined
      ? { program: `${name}: not up within ${limit} min`, cases: "skipped", hasFailed: false }
      : { program: up, cases: `not done in ${limit} min`, hasFailed: true };
  const hasFailed = code !== 0 || passed === 0;
  return { program: up ?? name, cases: `${passed} of ${all} cases`, hasFailed };
}
