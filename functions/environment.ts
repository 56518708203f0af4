import { en } from "zod/locales";
import * as z from "zod/mini";
import { defaultQuotas } from "../core/model/quota.ts";
import { tenantPolicies } from "../core/model/tenant.ts";
import { issuersSchema } from "./identity/issuers.ts";

/**
 * What the environment of a function may say, and which function is told what. In zod's small form,
 * since every start reads it: the other takes a third as long as the client of DynamoDB.
 */

z.config(en());

const text = z.string().check(z.minLength(1), z.maxLength(512));
const optionalText = z.optional(text);
const url = z.url();
const machines = z.string().check(
  z.regex(/^arn:[\w-]+:states:[\w-]+:\d{12}:stateMachine:[\w-]*$/, {
    error: "must be the ARN of the state machines up to the saga's name",
  }),
);
const folder = z
  .string()
  .check(z.maxLength(512), z.regex(/.\/$/, { error: "must end in a slash" }));
const profile = z._default(z.enum(["slipway", "osac"]), "slipway");
const origins = z.optional(
  z.pipe(
    text,
    z.transform((given) => given.split(",")),
  ),
);
const quota = z._default(z.enum(defaultQuotas), "unlimited");
const policy = z._default(z.enum(tenantPolicies), "first-use");
const issuers = z.pipe(z.pipe(z.string(), z.transform(jsonIn)), issuersSchema);

const whole = (error: string, least: number, most: number) =>
  z.coerce.number({ error }).check(z.int(), z.gte(least), z.lte(most));
const milliseconds = whole("must be milliseconds", 1000, 900_000);
const count = whole("must be a number", 1, 10_000);
const rate = z._default(whole("must be a number", 0, 100_000), 0);

export const variables = {
  /** What tells this stage's metrics from those of others, such as `slipway-prod`. */
  STAGE: text,
  /** The store's table. */
  TABLE: text,
  /** ARN of every state machine up to its saga's name, such as `arn:…:stateMachine:slipway-prod-`. */
  STATE_MACHINES: machines,
  /** The alias that executions are started through. */
  STATE_MACHINE_ALIAS: text,
  /** Integrators' bus. */
  BUS: text,
  /** The bus of what hubs report. */
  HUBS_BUS: text,
  /** URL of the queue of webhooks that are due. */
  WEBHOOK_QUEUE: url,
  /** Worker functions of the zones: names or ARNs. */
  CORE_WORKER: text,
  HUB_WORKER: text,
  SITE_WORKER: text,
  /** Stands before every secret's name, such as `slipway/prod/`. */
  SECRETS_PREFIX: folder,
  /** The key that encrypts new secrets; the account's own when absent. */
  SECRETS_KEY: optionalText,
  /** Longest run of one worker invocation, in milliseconds. */
  WORKER_TIMEOUT: milliseconds,
  /** What clients get that do not ask. */
  API_PROFILE: profile,
  /** Origins that browsers may call from, with commas between. */
  API_ORIGINS: origins,
  /** What a tenant may have of that its quota says nothing of. */
  DEFAULT_QUOTA: quota,
  /** Who can be a tenant. */
  TENANTS: policy,
  /** Requests a second of a tenant, of a user, and watches of a user; 0 for any. */
  TENANT_RATE: rate,
  USER_RATE: rate,
  WATCH_RATE: rate,
  /** Watches that may wait at a time: of everybody, of a tenant, of a user. */
  WATCHES: count,
  TENANT_WATCHES: count,
  USER_WATCHES: count,
  /** Whose tokens are accepted, and what their claims mean: JSON. */
  ISSUERS: issuers,
} as const;

function jsonIn(given: string, { issues }: z.core.ParsePayload): unknown {
  try {
    return JSON.parse(given);
  } catch {
    issues.push({ code: "custom", message: "must be JSON", input: given });
    return z.NEVER;
  }
}

export type Variables = typeof variables;
export type Variable = keyof Variables;

const looks = ["CORE_WORKER", "HUB_WORKER", "SITE_WORKER"] as const;
const starts = ["STATE_MACHINES", "STATE_MACHINE_ALIAS"] as const;
const outside = ["TABLE", "SECRETS_PREFIX", "SECRETS_KEY", ...looks, "WORKER_TIMEOUT"] as const;

/** What each function is told: its entry point reads it, the stack sets it. */
export const environments = {
  api: [
    "TABLE",
    "SECRETS_PREFIX",
    "SECRETS_KEY",
    "HUB_WORKER",
    "HUBS_BUS",
    "API_PROFILE",
    "API_ORIGINS",
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
  relay: ["TABLE", ...starts, "BUS", ...looks, "WEBHOOK_QUEUE"],
  observe: ["TABLE", ...looks],
  due: ["TABLE", ...starts, "BUS", ...looks],
  sweep: ["STAGE", "TABLE", "HUB_WORKER", "SITE_WORKER"],
  webhooks: ["TABLE", "SECRETS_PREFIX"],
  halted: ["TABLE"],
  "core-worker": ["TABLE", "SECRETS_PREFIX", ...looks, "WORKER_TIMEOUT"],
  // One program, deployed once a zone.
  "hub-worker": outside,
  "site-worker": outside,
} as const satisfies Record<string, readonly Variable[]>;

type Environments = typeof environments;
type EnvironmentOf<Name extends keyof Environments> = {
  [V in Environments[Name][number]]: z.output<Variables[V]>;
};

/**
 * Reads what a function is told; an empty variable counts as absent. Throws what is wrong with
 * which, all at once.
 */
export function readEnvironment<Name extends keyof Environments>(
  environment: Record<string, string | undefined>,
  name: Name,
): EnvironmentOf<Name> {
  const names: readonly Variable[] = environments[name];
  const given = Object.fromEntries(names.map((each) => [each, environment[each] || undefined]));
  const schema = z.object(Object.fromEntries(names.map((each) => [each, variables[each]])));
  // Used once, at a cold start: compiling it would take longer than it takes uncompiled.
  const { success, data, error } = schema.safeParse(given, { jitless: true });
  if (!success) {
    const wrong = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new Error(`the environment is not right: ${wrong.join("; ")}`);
  }
  // The schema was made of this function's variables.
  return data as EnvironmentOf<Name>;
}
