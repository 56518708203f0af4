import type * as z from "zod";
import type { Json } from "../../core/kernel/store/store.ts";
import { type Scope, type State, type StateMachine, stateMachine } from "./asl.ts";
import { ServiceError } from "./errors.ts";
import { compile, expressionIn, messageOf } from "./expression.ts";
import { parseResource } from "./resource.ts";

/** Fields that only a JSONPath state has. */
const jsonPathFields = new Set([
  "InputPath",
  "OutputPath",
  "ResultPath",
  "ResultSelector",
  "Parameters",
  "ItemsPath",
  "SecondsPath",
  "TimestampPath",
  "TimeoutSecondsPath",
  "HeartbeatSecondsPath",
  "MaxConcurrencyPath",
  "ErrorPath",
  "CausePath",
]);

/**
 * Parses a state machine. Throws `InvalidDefinition` with the place for everything that the engine does not support:
 * JSONPath, unknown fields, expressions that do not parse, undefined states, and resources outside `integrations`
 * (which are not checked again in definitions that were accepted before).
 */
export function parseDefinition(text: string, integrations?: ReadonlySet<string>): StateMachine {
  const json = parseJson(text);
  refuseJsonPath(json, "", false);
  checkExpressions(json, "");
  const parsed = stateMachine.safeParse(json);
  if (!parsed.success) throw invalid(parsed.error.issues.map(describeIssue).join("; "));
  checkScope(parsed.data, "", new Set(), integrations);
  return parsed.data;
}

function invalid(reason: string): ServiceError {
  return new ServiceError("InvalidDefinition", `Invalid State Machine Definition: '${reason}'`);
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`INVALID_JSON_DESCRIPTION: ${messageOf(error)}`);
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return `${issue.message} at /${issue.path.map(String).join("/")}`;
}

function isObject(value: Json | undefined): value is { [member: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Searches scopes for JSONPath without the schema, since a JSONPath definition does not fit it. */
function refuseJsonPath(scope: Json | undefined, path: string, inherited: boolean): void {
  if (!isObject(scope)) return;
  const inScope = scope.QueryLanguage === "JSONata" || inherited;
  if (!isObject(scope.States)) return;
  for (const [name, state] of Object.entries(scope.States)) {
    if (!isObject(state)) continue;
    const at = `${path}/States/${name}`;
    const isJsonata = state.QueryLanguage === "JSONata" || (inScope && !state.QueryLanguage);
    if (!isJsonata) {
      throw invalid(`JSONPath states are not supported: set QueryLanguage to JSONata at ${at}`);
    }
    const field = Object.keys(state).find((key) => jsonPathFields.has(key) || key.endsWith(".$"));
    if (field !== undefined) throw invalid(`JSONPath field '${field}' is not supported at ${at}`);
    refuseJsonPath(state.ItemProcessor, `${at}/ItemProcessor`, true);
    if (!Array.isArray(state.Branches)) continue;
    for (const [index, branch] of state.Branches.entries()) {
      refuseJsonPath(branch, `${at}/Branches[${index}]`, true);
    }
  }
}

function checkExpressions(value: Json, path: string): void {
  if (typeof value === "string") {
    const source = expressionIn(value);
    if (source === undefined) return;
    try {
      compile(source);
    } catch (error) {
      throw invalid(`JSONata error: ${messageOf(error)} at ${path}`);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [member, inner] of Object.entries(value)) {
      checkExpressions(inner, `${path}/${member}`);
    }
  }
}

/** Checks a scope. It may read the variables of the scopes around it (`outer`), but not assign them. */
function checkScope(
  scope: Scope,
  path: string,
  outer: ReadonlySet<string>,
  integrations: ReadonlySet<string> | undefined,
): void {
  const states = Object.entries(scope.States);
  requireState(scope, scope.StartAt, `${path}/StartAt`);
  const assigned = new Set(outer);
  for (const [name, state] of states) {
    const at = `${path}/States/${name}`;
    for (const next of targets(state, at)) requireState(scope, next, at);
    for (const variable of assignedBy(state)) {
      if (!/^[\p{ID_Start}][\p{ID_Continue}]{0,79}$/u.test(variable) || variable === "states") {
        throw invalid(`'${variable}' is not a name for a variable at ${at}`);
      }
      if (outer.has(variable)) {
        throw invalid(`variable '${variable}' is already assigned in an outer scope at ${at}`);
      }
      assigned.add(variable);
    }
  }
  for (const [name, state] of states) {
    const at = `${path}/States/${name}`;
    if (state.Type === "Task" && integrations !== undefined) {
      checkTask(state.Resource, at, integrations);
    }
    if (state.Type === "Map") {
      checkScope(state.ItemProcessor, `${at}/ItemProcessor`, assigned, integrations);
    }
    if (state.Type === "Parallel") {
      for (const [index, branch] of state.Branches.entries()) {
        checkScope(branch, `${at}/Branches[${index}]`, assigned, integrations);
      }
    }
    if (
      state.Type === "Wait" &&
      (state.Seconds === undefined) === (state.Timestamp === undefined)
    ) {
      throw invalid(`exactly one of Seconds and Timestamp is required at ${at}`);
    }
  }
}

function checkTask(resource: string, at: string, integrations: ReadonlySet<string>): void {
  const integration = parseResource(resource)?.integration;
  if (integration === undefined || !integrations.has(integration)) {
    throw invalid(`the resource '${resource}' is not supported at ${at}/Resource`);
  }
}

function requireState(scope: Scope, name: string, at: string): void {
  if (!Object.hasOwn(scope.States, name)) {
    throw invalid(`MISSING_TRANSITION_TARGET: Missing target '${name}' at ${at}`);
  }
}

/** The names of the states that may follow. Throws when the state has neither `Next` nor `End`. */
function targets(state: State, at: string): string[] {
  if (state.Type === "Succeed" || state.Type === "Fail") return [];
  if (state.Type === "Choice") {
    const choices = state.Choices.map((choice) => choice.Next);
    return state.Default === undefined ? choices : [...choices, state.Default];
  }
  if ((state.Next === undefined) === (state.End === undefined)) {
    throw invalid(`exactly one of Next and End is required at ${at}`);
  }
  const caught = "Catch" in state ? (state.Catch ?? []).map((catcher) => catcher.Next) : [];
  return state.Next === undefined ? caught : [state.Next, ...caught];
}

function assignedBy(state: State): string[] {
  if (state.Type === "Fail") return [];
  const assigns = [state.Assign];
  if ("Catch" in state) assigns.push(...(state.Catch ?? []).map((catcher) => catcher.Assign));
  if (state.Type === "Choice") assigns.push(...state.Choices.map((choice) => choice.Assign));
  return assigns.flatMap((assign) => Object.keys(assign ?? {}));
}
