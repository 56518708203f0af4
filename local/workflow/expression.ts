import jsonata, { type Expression } from "jsonata";
import type { Json } from "../../core/kernel/store/store.ts";
import { StateError } from "./errors.ts";
import { bindSurroundings, registerFunctions, type Surroundings } from "./functions.ts";

/** The values of `$states` in expressions. */
interface StatesBinding {
  input: Json;
  context: Json;
  result?: Json;
  errorOutput?: Json;
}

export interface Bindings {
  variables: Record<string, Json>;
  states: StatesBinding;
  surroundings: Surroundings;
}

/** The JSONata inside `{% … %}`, or undefined for a plain text. */
export function expressionIn(text: string): string | undefined {
  return text.startsWith("{%") && text.endsWith("%}") ? text.slice(2, -2) : undefined;
}

const compiled = new Map<string, Expression>();

/** Compiles an expression, and caches it, since definitions are few. Throws when the source is not JSONata. */
export function compile(source: string): Expression {
  let expression = compiled.get(source);
  if (expression === undefined) {
    expression = jsonata(source);
    registerFunctions(expression);
    compiled.set(source, expression);
  }
  return expression;
}

/**
 * Evaluates the expressions of a template. `field` is the template's place, for messages. Throws
 * States.QueryEvaluationError when an expression fails or has no value.
 */
export async function evaluate(template: Json, bindings: Bindings, field: string): Promise<Json> {
  if (typeof template === "string") {
    const source = expressionIn(template);
    return source === undefined ? template : evaluateSource(source, bindings, field);
  }
  if (Array.isArray(template)) {
    const values: Json[] = [];
    for (const [index, element] of template.entries()) {
      values.push(await evaluate(element, bindings, `${field}[${index}]`));
    }
    return values;
  }
  if (template !== null && typeof template === "object") {
    const members: Record<string, Json> = {};
    for (const [member, value] of Object.entries(template)) {
      members[member] = await evaluate(value, bindings, `${field}/${member}`);
    }
    return members;
  }
  return template;
}

async function evaluateSource(source: string, bindings: Bindings, field: string): Promise<Json> {
  const told = `The JSONata expression '${source.trim()}' specified for the field '${field}'`;
  let value: unknown;
  try {
    value = await compile(source).evaluate(undefined, {
      ...bindings.variables,
      ...bindSurroundings(bindings.surroundings),
      states: bindings.states,
    });
  } catch (error) {
    throw queryError(`${told} threw an error. ${messageOf(error)}`);
  }
  if (value === undefined) throw queryError(`${told} returned nothing (undefined).`);
  if (isFunction(value)) throw queryError(`${told} returned an unsupported result type.`);
  // JSONata's sequences have additional members; the result must be plain JSON.
  return JSON.parse(JSON.stringify(value));
}

function queryError(cause: string): StateError {
  return new StateError("States.QueryEvaluationError", cause);
}

function isFunction(value: unknown): boolean {
  if (typeof value === "function") return true;
  if (typeof value !== "object" || value === null) return false;
  return "_jsonata_function" in value || "_jsonata_lambda" in value;
}

/** The message of an error; JSONata throws plain objects as well as errors. */
export function messageOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "message" in error) {
    return String(error.message);
  }
  return String(error);
}
