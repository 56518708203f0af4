import { expect, it } from "vitest";
import { AppError } from "../../core/error.ts";

/** The right answer to an input that must not be accepted: words that the refusal has. */
class Refused {
  readonly words: RegExp;

  constructor(words: RegExp) {
    this.words = words;
  }
}

export const refused = (words: RegExp): Refused => new Refused(words);

/** An input, the right value for it, and the report or rule that it comes from. */
type InputRow<Input> = readonly [input: Input, right: unknown, from: string];

/** All that a refusal says, field by field. */
function wordsOf(error: unknown): string {
  if (!(error instanceof AppError)) return String(error);
  const fields = error.violations.map(({ field, message }) => `${field}: ${message}`);
  return [error.message, ...fields].join("\n");
}

async function judge<Input>(
  read: (input: Input) => unknown,
  input: Input,
  right: unknown,
): Promise<void> {
  const attempt = (async () => await read(input))();
  if (!(right instanceof Refused)) return expect(await attempt).toEqual(right);
  const refusal = await attempt.then(
    (value) => expect.fail(`accepted as ${JSON.stringify(value)}`),
    wordsOf,
  );
  expect(refusal).toMatch(right.words);
}

/** One test a row: `read` answers the right value, or refuses the input in the right words. */
export function judgeInputs<Input>(
  read: (input: Input) => unknown,
  rows: readonly InputRow<Input>[],
): void {
  for (const [input, right, from] of rows) {
    const verdict = right instanceof Refused ? "is refused" : "is read";
    it(`${JSON.stringify(input)} ${verdict} (${from})`, () => judge(read, input, right));
  }
}
