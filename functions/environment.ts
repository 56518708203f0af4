import { defaultQuotas } from "../core/kernel/claim/quota.ts";
import { profiles } from "../core/kernel/object/view.ts";
import { tenantPolicies } from "../core/resources/tenant/model.ts";
import type { IssuerOptions } from "./identity/issuers.ts";

/**
 * The environment of each function. The stack writes it from parameters that it has checked, so it
 * is read without a schema, which would make every start a tenth longer.
 */

type Read<T> = (given: string) => T;

const required =
  <T>(read: Read<T>) =>
  (given: string | undefined): T => {
    if (given === undefined) throw new Error("is missing");
    return read(given);
  };

const or =
  <T, const Absent>(read: Read<T>, absent: Absent) =>
  (given: string | undefined): T | Absent =>
    given === undefined ? absent : read(given);

const text: Read<string> = (given) => given;

const matching =
  (pattern: RegExp, rule: string): Read<string> =>
  (given) => {
    if (!pattern.test(given)) throw new Error(rule);
    return given;
  };

const whole: Read<number> = (given) => {
  if (!/^\d{1,9}$/.test(given)) throw new Error("must be a whole number");
  return Number(given);
};

const oneOf =
  <Name extends string>(names: readonly Name[]): Read<Name> =>
  (given) => {
    const found = names.find((name) => name === given);
    if (found === undefined) throw new Error(`must be one of ${names.join(", ")}`);
    return found;
  };

/** The stack has validated them by `issuersSchema`. */
const issuersIn: Read<IssuerOptions[]> = (given) => JSON.parse(given);

export const variables = {
  /**
   * The dimension that separates this stage's metrics from those of other stages, such as
   * `slipway-prod`.
   */
  STAGE: required(text),
  /** The store's table. */
  TABLE: required(text),
  /** The ARN of every state machine without its saga's name, such as `arn:…:stateMachine:slipway-prod-`. */
  STATE_MACHINES: required(
    matching(
      /^arn:[\w-]+:states:[\w-]+:\d{12}:stateMachine:[\w-]*$/,
      "must be the ARN of the state machines up to the saga's name",
    ),
  ),
  /** The alias by which executions are started. */
  STATE_MACHINE_ALIAS: required(text),
  /** The integrators' bus. */
  BUS: required(text),
  /** The bus of hubs' reports. */
  HUBS_BUS: required(text),
  /** URL of the queue of due webhooks. */
  WEBHOOK_QUEUE: required(text),
  /** URL of the queue of rechecks. */
  RECHECK_QUEUE: required(text),
  /** The function of due operations, which calls itself (name or ARN). */
  DUE: required(text),
  /** Worker functions of the zones: names or ARNs. */
  CORE_WORKER: required(text),
  HUB_WORKER: required(text),
  SITE_WORKER: required(text),
  /** The prefix of every secret's name, such as `slipway/prod/`. */
  SECRETS_PREFIX: required(matching(/.\/$/, "must end in a slash")),
  /** The key that encrypts new secrets; the account's own key by default. */
  SECRETS_KEY: or(text, undefined),
  /** The zone of a worker; hub and site zones run the same program. */
  ZONE: required(oneOf(["hub", "site"] as const)),
  /** The longest run of a worker, in milliseconds. */
  WORKER_TIMEOUT: required(whole),
  /** The most concurrent runs of the worker. */
  WORKERS: required(whole),
  /** The profile of clients that request none. */
  API_PROFILE: or(oneOf(profiles), "slipway"),
  /** The secret that proves a request came through the console's CloudFront; absent without a console. */
  CONSOLE_PROOF: or(text, undefined),
  /** Origins that browsers may call from, separated by commas. */
  API_ORIGINS: or((origins) => origins.split(","), undefined),
  /** The limit where a tenant's quota sets none. */
  DEFAULT_QUOTA: or(oneOf(defaultQuotas), "unlimited"),
  /** Whether tenants are created with their first object or must be registered. */
  TENANTS: or(oneOf(tenantPolicies), "first-use"),
  /** Requests per second of a tenant and of a user, and watches per second of a user; 0 for no limit. */
  TENANT_RATE: or(whole, 0),
  USER_RATE: or(whole, 0),
  WATCH_RATE: or(whole, 0),
  /** The most concurrent watches: in all, of a tenant, of a user. */
  WATCHES: required(whole),
  TENANT_WATCHES: required(whole),
  USER_WATCHES: required(whole),
  /** Issuers whose tokens are accepted, with the meaning of their claims, as JSON. */
  ISSUERS: required(issuersIn),
} as const satisfies Record<string, (given: string | undefined) => unknown>;

export type Variables = typeof variables;
export type Variable = keyof Variables;

const rechecks = ["CORE_WORKER", "HUB_WORKER", "SITE_WORKER"] as const;
const starts = ["STATE_MACHINES", "STATE_MACHINE_ALIAS"] as const;
const outside = [
  ...(["TABLE", "STATE_MACHINES", "SECRETS_PREFIX", "SECRETS_KEY", ...rechecks] as const),
  ...(["ZONE", "WORKER_TIMEOUT", "WORKERS"] as const),
] as const;

/** The variables of each function: the stack sets them, and the entry point reads them. */
export const environments = {
  api: [
    "TABLE",
    "SECRETS_PREFIX",
    "SECRETS_KEY",
    "HUB_WORKER",
    "HUBS_BUS",
    "API_PROFILE",
    "API_ORIGINS",
    "CONSOLE_PROOF",
    "DEFAULT_QUOTA",
    "TENANTS",
    "TENANT_RATE",
    "USER_RATE",
    "ISSUERS",
  ],
  watch: [
    "TABLE",
    "API_PROFILE",
    "API_ORIGINS",
    "WATCH_RATE",
    "WATCHES",
    "TENANT_WATCHES",
    "USER_WATCHES",
    "ISSUERS",
  ],
  authorizer: ["ISSUERS"],
  relay: ["STAGE", "TABLE", ...starts, "BUS", ...rechecks, "WEBHOOK_QUEUE", "RECHECK_QUEUE"],
  observe: ["TABLE", ...rechecks],
  "site-controller": ["TABLE", "SECRETS_PREFIX", "CORE_WORKER"],
  due: ["TABLE", ...starts, "BUS", ...rechecks, "DUE"],
  sweep: ["STAGE", "TABLE", "HUB_WORKER", "SITE_WORKER"],
  webhooks: ["TABLE", "SECRETS_PREFIX"],
  halted: ["STAGE", "TABLE"],
  "core-worker": ["TABLE", "STATE_MACHINES", "SECRETS_PREFIX", ...rechecks, "WORKER_TIMEOUT"],
  // One program, deployed in each zone.
  "hub-worker": outside,
  "site-worker": outside,
} as const satisfies Record<string, readonly Variable[]>;

type Environments = typeof environments;
type EnvironmentOf<Name extends keyof Environments> = {
  [V in Environments[Name][number]]: ReturnType<Variables[V]>;
};

/**
 * Reads a function's environment; an empty variable counts as absent. Throws one error that names
 * every wrong variable.
 */
export function readEnvironment<Name extends keyof Environments>(
  environment: Record<string, string | undefined>,
  name: Name,
): EnvironmentOf<Name> {
  const names: readonly Variable[] = environments[name];
  const wrong: string[] = [];
  const values = names.map((each) => {
    try {
      return [each, variables[each](environment[each] || undefined)];
    } catch (error) {
      wrong.push(`${each}: ${error instanceof Error ? error.message : String(error)}`);
      return [each, undefined];
    }
  });
  if (wrong.length > 0) throw new Error(`the environment is not right: ${wrong.join("; ")}`);
  // Each value was read by its variable's own reader.
  return Object.fromEntries(values) as EnvironmentOf<Name>;
}
