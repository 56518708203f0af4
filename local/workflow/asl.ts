/**
 * The part of the Amazon States Language that the engine runs: JSONata only. A template is JSON
 * whose strings may be expressions (`{% … %}`). Fields that are not listed here are refused.
 */
import * as z from "zod";
import { json as template } from "./json.ts";

const name = z.string().min(1).max(80);
const expression = z.string().regex(/^\{%[\s\S]*%\}$/, "must be a JSONata expression {% … %}");
const variables = z.record(z.string(), template);
const positive = z.int().min(1).max(99_999_999);

const common = { Comment: z.string().optional(), QueryLanguage: z.literal("JSONata").optional() };
const shaping = { Output: template.optional(), Assign: variables.optional() };
const transition = { Next: name.optional(), End: z.literal(true).optional() };

const retrier = z.strictObject({
  Comment: z.string().optional(),
  ErrorEquals: z.array(z.string()).min(1),
  IntervalSeconds: positive.default(1),
  MaxAttempts: z.int().min(0).max(99_999_999).default(3),
  BackoffRate: z.number().min(1).default(2),
  MaxDelaySeconds: z.int().min(1).max(31_622_400).optional(),
  JitterStrategy: z.enum(["FULL", "NONE"]).default("NONE"),
});

const catcher = z.strictObject({
  Comment: z.string().optional(),
  ErrorEquals: z.array(z.string()).min(1),
  Next: name,
  ...shaping,
});

const recovery = { Retry: z.array(retrier).optional(), Catch: z.array(catcher).optional() };

const choice = z.strictObject({
  Comment: z.string().optional(),
  Condition: z.union([expression, z.boolean()]),
  Next: name,
  ...shaping,
});

const pass = z.strictObject({ Type: z.literal("Pass"), ...common, ...shaping, ...transition });
const succeed = z.strictObject({ Type: z.literal("Succeed"), ...common, ...shaping });
const fail = z.strictObject({
  Type: z.literal("Fail"),
  ...common,
  Error: z.string().optional(),
  Cause: z.string().optional(),
});
const wait = z.strictObject({
  Type: z.literal("Wait"),
  ...common,
  Seconds: z.union([expression, z.int().min(0).max(99_999_999)]).optional(),
  Timestamp: z.string().optional(),
  ...shaping,
  ...transition,
});
const choose = z.strictObject({
  Type: z.literal("Choice"),
  ...common,
  Choices: z.array(choice).min(1),
  Default: name.optional(),
  ...shaping,
});
const task = z.strictObject({
  Type: z.literal("Task"),
  ...common,
  Resource: z.string(),
  Arguments: template.optional(),
  TimeoutSeconds: z.union([expression, positive]).optional(),
  HeartbeatSeconds: z.union([expression, positive]).optional(),
  ...recovery,
  ...shaping,
  ...transition,
});
const parallel = z.strictObject({
  Type: z.literal("Parallel"),
  ...common,
  Arguments: template.optional(),
  get Branches(): z.ZodType<Scope[]> {
    return z.array(scope).min(1);
  },
  ...recovery,
  ...shaping,
  ...transition,
});
const map = z.strictObject({
  Type: z.literal("Map"),
  ...common,
  Items: z.union([expression, z.array(template)]).optional(),
  ItemSelector: template.optional(),
  MaxConcurrency: z.union([expression, z.int().min(0)]).optional(),
  get ItemProcessor(): z.ZodType<Scope> {
    return scope;
  },
  ...recovery,
  ...shaping,
  ...transition,
});

export type Retrier = z.infer<typeof retrier>;
export type FailState = z.infer<typeof fail>;
export type WaitState = z.infer<typeof wait>;
export type ChoiceState = z.infer<typeof choose>;
export type TaskState = z.infer<typeof task>;
export type ParallelState = z.infer<typeof parallel>;
export type MapState = z.infer<typeof map>;
export type State =
  | z.infer<typeof pass>
  | z.infer<typeof succeed>
  | FailState
  | WaitState
  | ChoiceState
  | TaskState
  | ParallelState
  | MapState;

/** States that lead to each other: of a state machine, of a branch, or of a Map's iterations. */
export interface Scope {
  StartAt: string;
  States: Record<string, State>;
}

export interface StateMachine extends Scope {
  Comment?: string | undefined;
  TimeoutSeconds?: number | undefined;
}

const state = z.discriminatedUnion("Type", [
  pass,
  succeed,
  fail,
  wait,
  choose,
  task,
  parallel,
  map,
]);

const states = z.record(name, state);

const scope: z.ZodType<Scope> = z.strictObject({
  Comment: z.string().optional(),
  ProcessorConfig: z.strictObject({ Mode: z.literal("INLINE") }).optional(),
  StartAt: name,
  States: states,
});

export const stateMachine: z.ZodType<StateMachine> = z.strictObject({
  Comment: z.string().optional(),
  QueryLanguage: z.literal("JSONata").optional(),
  Version: z.literal("1.0").optional(),
  TimeoutSeconds: positive.optional(),
  StartAt: name,
  States: states,
});
