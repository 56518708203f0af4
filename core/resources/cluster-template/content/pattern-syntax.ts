/** The structure of a regular expression. JavaScript's own engine decides what a single character matches. */

export type PatternNode =
  | { is: "character"; matches: (character: string) => boolean }
  | { is: "place"; holds: (text: string, at: number) => boolean }
  | { is: "sequence"; parts: PatternNode[] }
  | { is: "choice"; parts: PatternNode[] }
  /** A repetition; unlimited without `max`. */
  | { is: "repeat"; part: PatternNode; min: number; max?: number };

/** The limit for nested parentheses. */
const depthLimit = 20;

export function parsePattern(pattern: string): { node: PatternNode } | { fault: string } {
  try {
    // JavaScript accepts the pattern, so the parser below can rely on its syntax.
    new RegExp(pattern);
  } catch {
    return { fault: "is not a regular expression" };
  }
  try {
    return { node: new Parser(pattern).choice(0) };
  } catch (error) {
    if (error instanceof Unsupported) return { fault: error.message };
    throw error;
  }
}

class Unsupported extends Error {}

const places: Record<string, (text: string, at: number) => boolean> = {
  "^": (_, at) => at === 0,
  $: (text, at) => at === text.length,
  "\\b": isBoundary,
  "\\B": (text, at) => !isBoundary(text, at),
};

function isBoundary(text: string, at: number): boolean {
  return /\w/.test(text.charAt(at - 1)) !== /\w/.test(text.charAt(at));
}

class Parser {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  choice(depth: number): PatternNode {
    if (depth > depthLimit) throw new Unsupported(`is nested deeper than ${depthLimit}`);
    const parts = [this.#sequence(depth)];
    while (this.#take(/\|/y)) parts.push(this.#sequence(depth));
    return { is: "choice", parts };
  }

  #sequence(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern.charAt(this.#at)))
      parts.push(this.#repeated(this.#atom(depth)));
    return { is: "sequence", parts };
  }

  #repeated(part: PatternNode): PatternNode {
    // A lazy quantifier matches the same texts, so it is parsed like a greedy one.
    const [, sign, least, comma, most] = this.#take(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y) ?? [];
    if (sign !== undefined) {
      const min = sign === "+" ? 1 : 0;
      return { is: "repeat", part, min, ...(sign === "?" ? { max: 1 } : {}) };
    }
    if (least === undefined) return part;
    const min = Number(least);
    if (comma !== undefined && most === "") return { is: "repeat", part, min };
    return { is: "repeat", part, min, max: Number(most ?? least) };
  }

  #atom(depth: number): PatternNode {
    if (this.#take(/\((?:\?:)?(?!\?)/y)) {
      const inner = this.choice(depth + 1);
      this.#take(/\)/y);
      return inner;
    }
    const [place] = this.#take(/\^|\$|\\[bB]/y) ?? [];
    const holds = place === undefined ? undefined : places[place];
    if (holds) return { is: "place", holds };
    const [character] =
      this.#take(
        /\[(?:\\[\s\S]|[^\]\\])*\]|\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|c[A-Za-z]|[dDwWsStnrfv]|0(?!\d)|[^\w])|[^\\([]/y,
      ) ?? [];
    if (character === undefined) {
      const rest = this.#pattern.slice(this.#at, this.#at + 10);
      throw new Unsupported(
        `cannot have '${rest}': lookaround and references to groups are not supported`,
      );
    }
    const expression = new RegExp(`^${character}$`);
    return { is: "character", matches: (text) => expression.test(text) };
  }

  /** Consumes the expression at the present position, if it matches there. */
  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#pattern) ?? undefined;
    if (match) this.#at += match[0].length;
    return match;
  }
}
