import type { Value } from "../../core/kernel/store/size.ts";

/**
 * An interpreter of DynamoDB's condition, update and key expressions, as far as the store writes
 * them. It reads the text by DynamoDB's own grammar and shares no code with the store, so that a
 * malformed expression, a missing or an unused placeholder shows.
 */

export type Attributes = { [name: string]: Value };

export class Invalid extends Error {}

export interface Terms {
  ExpressionAttributeNames?: Record<string, string>;
  values?: Attributes;
}

/** The expressions of one request: every placeholder must be known, and used by one of them. */
export class Expressions {
  readonly #terms: Terms;
  readonly #used = new Set<string>();

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  holds(text: string, item: Attributes): boolean {
    const tokens = new Tokens(text);
    const result = this.#or(tokens, item);
    tokens.end();
    return result;
  }

  /** Applies an update to a copy of the item. */
  update(text: string, item: Attributes): Attributes {
    const result = structuredClone(item);
    const tokens = new Tokens(text);
    const seen = new Set<string>();
    while (!tokens.done) {
      const clause = tokens.next();
      if (seen.has(clause)) throw new Invalid(`The "${clause}" section can only be used once`);
      seen.add(clause);
      do this.#action(clause, tokens, result, item);
      while (tokens.take(","));
    }
    return result;
  }

  /** Call when all expressions of the request were read. */
  expectAllUsed(): void {
    const names = Object.keys(this.#terms.ExpressionAttributeNames ?? {});
    for (const placeholder of [...names, ...Object.keys(this.#terms.values ?? {})]) {
      if (!this.#used.has(placeholder))
        throw new Invalid(`${placeholder} is unused in expressions`);
    }
  }

  #action(clause: string, tokens: Tokens, result: Attributes, item: Attributes): void {
    const path = this.#path(tokens);
    const last = path.at(-1) ?? "";
    const parent = at(result, path.slice(0, -1));
    if (!isMap(parent)) throw new Invalid("The document path provided is invalid for update");
    if (clause === "SET") {
      tokens.expect("=");
      parent[last] = this.#value(tokens);
    } else if (clause === "REMOVE") {
      delete parent[last];
    } else if (clause === "ADD") {
      const [old, amount] = [at(item, path) ?? 0, this.#value(tokens)];
      if (typeof old !== "number" || typeof amount !== "number" || path.length > 1) {
        throw new Invalid("An operand in the update expression has an incorrect data type");
      }
      parent[last] = old + amount;
    } else throw new Invalid(`Syntax error; token: "${clause}"`);
  }

  #or(tokens: Tokens, item: Attributes): boolean {
    let result = this.#and(tokens, item);
    while (tokens.take("OR")) result = this.#and(tokens, item) || result;
    return result;
  }

  #and(tokens: Tokens, item: Attributes): boolean {
    let result = this.#term(tokens, item);
    while (tokens.take("AND")) result = this.#term(tokens, item) && result;
    return result;
  }

  #term(tokens: Tokens, item: Attributes): boolean {
    if (tokens.take("(")) {
      const result = this.#or(tokens, item);
      tokens.expect(")");
      return result;
    }
    if (tokens.take("attribute_exists")) return this.#argument(tokens, item) !== undefined;
    if (tokens.take("attribute_not_exists")) return this.#argument(tokens, item) === undefined;
    if (tokens.take("begins_with")) return this.#beginsWith(tokens, item);
    const stored = at(item, this.#path(tokens));
    const operator = tokens.next();
    if (operator !== "BETWEEN") return compares(operator, stored, this.#value(tokens));
    const from = this.#value(tokens);
    tokens.expect("AND");
    const to = this.#value(tokens);
    if (!compares("<=", from, to)) throw new Invalid("The BETWEEN operator: bounds out of order");
    return compares(">=", stored, from) && compares("<=", stored, to);
  }

  #argument(tokens: Tokens, item: Attributes): Value | undefined {
    tokens.expect("(");
    const value = at(item, this.#path(tokens));
    tokens.expect(")");
    return value;
  }

  #beginsWith(tokens: Tokens, item: Attributes): boolean {
    tokens.expect("(");
    const stored = at(item, this.#path(tokens));
    tokens.expect(",");
    const prefix = this.#value(tokens);
    tokens.expect(")");
    return typeof stored === "string" && typeof prefix === "string" && stored.startsWith(prefix);
  }

  #path(tokens: Tokens): string[] {
    const path: string[] = [];
    do {
      const placeholder = tokens.next();
      const name = this.#terms.ExpressionAttributeNames?.[placeholder];
      if (!name) throw new Invalid(`${placeholder} is not defined`);
      this.#used.add(placeholder);
      path.push(name);
    } while (tokens.take("."));
    return path;
  }

  #value(tokens: Tokens): Value {
    const placeholder = tokens.next();
    const value = this.#terms.values?.[placeholder];
    if (value === undefined) throw new Invalid(`${placeholder} is not defined`);
    this.#used.add(placeholder);
    return structuredClone(value);
  }
}

class Tokens {
  readonly #tokens: string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(/[#:]\w+|\w+|<>|<=|>=|\S/g) ?? [];
    if (this.#tokens.length === 0) throw new Invalid("The expression can not be empty");
  }

  get done(): boolean {
    return this.#at === this.#tokens.length;
  }

  next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Invalid("Syntax error; token: <EOF>");
    this.#at += 1;
    return token;
  }

  take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  expect(token: string): void {
    const found = this.next();
    if (found !== token) throw new Invalid(`Syntax error; token: "${found}"`);
  }

  end(): void {
    if (!this.done) throw new Invalid(`Syntax error; token: "${this.next()}"`);
  }
}

function isMap(value: Value | undefined): value is Attributes {
  if (value instanceof Uint8Array) return false;
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function at(item: Value, path: string[]): Value | undefined {
  let value: Value | undefined = item;
  for (const name of path) {
    value = isMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

/** What is missing differs from everything; what is of another type is neither above nor below. */
function compares(operator: string, stored: Value | undefined, value: Value): boolean {
  if (operator === "=") return stored === value;
  if (operator === "<>") return stored !== value;
  if (typeof value === "boolean") throw new Invalid("Incorrect operand type for operator");
  if (typeof stored !== typeof value) return false;
  const order = Buffer.compare(sortable(stored), sortable(value));
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  if (operator === ">") return order > 0;
  if (operator === ">=") return order >= 0;
  throw new Invalid(`Syntax error; token: "${operator}"`);
}

/** Bytes in the order of the values: a string's own; a number's, with the sign turned. */
function sortable(value: Value | undefined): Buffer {
  if (typeof value !== "number") return Buffer.from(String(value));
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const flip = value < 0 ? 0xff : 0;
  return bytes.map((byte, n) => byte ^ (n === 0 && flip === 0 ? 0x80 : flip)) as Buffer;
}
