import { indexName } from "../../core/kernel/store/dynamodb/table.ts";
import { indexes } from "../../core/kernel/store/store.ts";
import { environments, type Variable } from "../../functions/environment.ts";
import { buildFolder } from "../bundle-folder.ts";
import { type FunctionName, functions } from "../functions.ts";
import { grants, keyGrant, platformGrants, secretPatterns, zoneGrants } from "../permissions.ts";
import { reserves, watchSlots } from "../reserves.ts";
import { executionArns, machineAlias, machineArns, machinesPrefix } from "./machine-names.ts";
import { deadLetters } from "./queues.ts";
import { type Arns, permissionsOf, roleFor } from "./roles.ts";
import { arnOf, type Stage } from "./stage.ts";
import type { StoreTable } from "./table.ts";

/** Shared by all functions: the resources that they reach, and the values of their environments. */
export interface Shared {
  stage: Stage;
  table: StoreTable;
  bus: aws.cloudwatch.EventBus;
  hubsBus: aws.cloudwatch.EventBus;
  webhookQueue: aws.sqs.Queue;
  /** The queue of webhooks that the sender failed to handle. */
  webhookFailures: aws.sqs.Queue;
  recheckQueue: aws.sqs.Queue;
  /** The secret that proves a request came through the console's CloudFront; undefined without a console. */
  consoleProof: $util.Output<string> | undefined;
}

export interface FunctionOptions {
  description: string;
  seconds: number;
  /** The queue of calls that failed for good, if not one of the function's own. */
  failures?: aws.sqs.Queue;
  /**
   * The network of a function. Live code on a developer's computer has none, since its stand-in must reach that
   * computer.
   */
  vpc?: { privateSubnets: $util.Input<string>[]; securityGroups: $util.Input<string>[] };
}

export interface Deployed {
  name: string;
  arn: $util.Output<string>;
  function: sst.aws.Function;
  /** The queue of calls that failed for good; none for a function whose caller waits. */
  failures: aws.sqs.Queue | undefined;
}

const functionNameOf = (stage: Stage, name: FunctionName): string => `${stage.prefix}-${name}`;

/** The ARN of a function, by its name, since functions call each other and themselves. */
const functionArnOf = (stage: Stage, name: FunctionName) =>
  arnOf(stage, "lambda", `function:${functionNameOf(stage, name)}`);

/** The prefix of every secret's name. */
export const secretsPrefix = (): string => `${$app.name}/${$app.stage}/`;

/**
 * The environment variables of functions, without undefined ones. The code's own time limit is shorter than
 * Lambda's by the time of one write, so that a late attempt can still record that it is late. A repeated write
 * takes longer (functions/runtime/client.ts), and Lambda may end the run before; Step Functions then retries the
 * step. A lease lasts the code's limit and two seconds more, from before the attempt's first write. Lambda ends the
 * run half a second before the lease ends, however long the last write takes, so no attempt has effects after its
 * lease.
 */
function told(shared: Shared, name: FunctionName, { seconds }: FunctionOptions) {
  const { stage, table, bus, hubsBus, webhookQueue, recheckQueue } = shared;
  const { issuers, profile, cors, defaultQuota, tenants, limits, watches } = stage.parameters.api;
  return {
    STAGE: stage.prefix,
    TABLE: table.name,
    BUS: bus.name,
    HUBS_BUS: hubsBus.name,
    WEBHOOK_QUEUE: webhookQueue.url,
    RECHECK_QUEUE: recheckQueue.url,
    DUE: functionNameOf(stage, "due"),
    STATE_MACHINES: machinesPrefix(stage),
    STATE_MACHINE_ALIAS: machineAlias,
    SECRETS_PREFIX: secretsPrefix(),
    SECRETS_KEY: stage.key?.arn,
    CORE_WORKER: functionNameOf(stage, "core-worker"),
    HUB_WORKER: functionNameOf(stage, "hub-worker"),
    SITE_WORKER: functionNameOf(stage, "site-worker"),
    ZONE: name === "hub-worker" ? "hub" : name === "site-worker" ? "site" : undefined,
    WORKER_TIMEOUT: String(seconds * 1000 - 1500),
    WORKERS: String(reserves(stage.parameters)[name]?.runs ?? 0),
    API_PROFILE: profile,
    CONSOLE_PROOF: shared.consoleProof,
    API_ORIGINS: cors?.join(","),
    DEFAULT_QUOTA: defaultQuota,
    TENANTS: tenants,
    TENANT_RATE: String(limits.tenant),
    USER_RATE: String(limits.user),
    WATCH_RATE: String(limits.watch),
    WATCHES: String(watchSlots(stage.parameters)),
    TENANT_WATCHES: String(watches.tenant),
    USER_WATCHES: String(watches.user),
    ISSUERS: JSON.stringify(issuers),
  } satisfies Record<Variable, $util.Input<string> | undefined>;
}

function environmentOf(shared: Shared, name: FunctionName, options: FunctionOptions) {
  const values = told(shared, name, options);
  return Object.fromEntries(
    environments[name].flatMap((variable) => {
      const value = values[variable];
      return value === undefined ? [] : [[variable, value]];
    }),
  );
}

/** A function with its role, its log group and its dead letters. */
export function deployFunction(
  shared: Shared,
  name: FunctionName,
  options: FunctionOptions,
): Deployed {
  const { stage } = shared;
  const logical = name.replaceAll(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
  const logs = new aws.cloudwatch.LogGroup(`${logical}Logs`, {
    name: `/aws/lambda/${functionNameOf(stage, name)}`,
    retentionInDays: stage.parameters.protected ? 90 : 14,
    ...(stage.key && { kmsKeyId: stage.key.arn }),
  });
  const all = [
    ...grants[name],
    ...(hasZones(stage, name) ? zoneGrants : []),
    ...platformGrants[name],
    ...(stage.key && grants[name].length > 0 ? [keyGrant] : []),
  ];
  const hasFailures = all.some(({ on }) => on.includes("dead-letters"));
  const failures = hasFailures ? (options.failures ?? deadLetters(stage, name)) : undefined;
  const arns: Arns = {
    ...arnsOf(shared),
    "own-logs": [$interpolate`${logs.arn}:*`],
    ...(failures && { "dead-letters": [failures.arn] }),
  };
  const given = {
    name: functionNameOf(stage, name),
    service: "lambda.amazonaws.com",
    grants: all,
    arns,
  };
  const fn = new sst.aws.Function(logical, {
    name: given.name,
    description: options.description,
    ...($dev
      ? // SST makes the role: with these rights, and with what it needs to run code elsewhere.
        { ...changing(name), permissions: permissionsOf(all, arns) }
      : {
          ...bundled(name),
          ...placed(stage, name, options),
          role: roleFor(stage, logical, given).arn,
        }),
    runtime: "nodejs24.x",
    architecture: "arm64",
    memory: `${functions[name].megabytes} MB`,
    timeout: `${options.seconds} seconds`,
    environment: environmentOf(shared, name, options),
    logging: { format: "json", logGroup: logs.name },
    transform: {
      function: {
        tracingConfig: { mode: "Active" },
        // Without the lines at the start and end of each run: they would cost more than the run's own lines, and
        // metrics and traces have the same data.
        loggingConfig: { logFormat: "JSON", logGroup: logs.name, systemLogLevel: "WARN" },
      },
    },
  });
  return { name: functionNameOf(stage, name), arn: fn.arn, function: fn, failures };
}

/** Whether a function writes records into Route 53 zones. */
const hasZones = ({ parameters }: Stage, name: FunctionName): boolean =>
  parameters.hostedZones.length > 0 && (name === "hub-worker" || name === "site-worker");

/** The bundle that was built and tested. */
const bundled = (name: FunctionName) => ({
  bundle: `${buildFolder}/${name}`,
  handler: "index.handler",
});

/** SST's own bundle of live code on a developer's computer. */
function changing(name: FunctionName) {
  const { entry, assets } = functions[name];
  return {
    handler: entry.replace(/\.ts$/, ".handler"),
    ...(assets !== undefined && { copyFiles: [{ from: assets, to: "assets" }] }),
  };
}

/** The network of a function, and its limit of concurrent runs. */
function placed({ parameters }: Stage, name: FunctionName, { vpc }: FunctionOptions) {
  const reserve = reserves(parameters)[name];
  return {
    ...(reserve && { concurrency: { reserved: reserve.runs } }),
    ...(vpc && { vpc }),
  };
}

function arnsOf({ stage, table, bus, hubsBus, webhookQueue, recheckQueue }: Shared): Arns {
  return {
    table: [table.arn],
    ...Object.fromEntries(
      indexes.map((index) => [
        `index ${index}`,
        [$interpolate`${table.arn}/index/${indexName(index)}`],
      ]),
    ),
    stream: [table.streamArn],
    machines: machineArns(stage),
    executions: executionArns(stage),
    bus: [bus.arn],
    "hubs-bus": [hubsBus.arn],
    "webhook-queue": [webhookQueue.arn],
    "recheck-queue": [recheckQueue.arn],
    ...Object.fromEntries(
      secretPatterns.map(({ resource, pattern }) => [
        resource,
        [arnOf(stage, "secretsmanager", `secret:${secretsPrefix()}${pattern}`)],
      ]),
    ),
    "core-worker": [functionArnOf(stage, "core-worker")],
    "hub-worker": [functionArnOf(stage, "hub-worker")],
    "site-worker": [functionArnOf(stage, "site-worker")],
    due: [functionArnOf(stage, "due")],
    "hosted-zones": stage.parameters.hostedZones.map(
      (zone) => $interpolate`arn:${stage.partition}:route53:::hostedzone/${zone}`,
    ),
    "zone-changes": [$interpolate`arn:${stage.partition}:route53:::change/*`],
    ...(stage.key && { key: [stage.key.arn] }),
  };
}

/**
 * Configures asynchronous calls: the number of retries, the longest wait for a free run, and the queue of failed
 * calls.
 */
export function keepFailures(
  deployed: Deployed,
  logical: string,
  retries: 0 | 1 | 2,
  seconds = 3600,
): void {
  if (!deployed.failures) throw new Error(`${deployed.name} keeps no failures`);
  new aws.lambda.FunctionEventInvokeConfig(
    `${logical}Failures`,
    {
      functionName: deployed.name,
      maximumRetryAttempts: retries,
      maximumEventAgeInSeconds: seconds,
      destinationConfig: { onFailure: { destination: deployed.failures.arn } },
    },
    { dependsOn: [deployed.function] },
  );
}
