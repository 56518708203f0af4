import type { StoreUse } from "../core/kernel/store/rights.ts";
import { type Index, indexes } from "../core/kernel/store/store.ts";
import { type SecretUse, secretUses } from "../core/ports/secrets/rights.ts";
import {
  type SecretFamily,
  secretFamilies,
  secretFamilyNames,
} from "../core/ports/secrets/secrets.ts";
import { secretRights } from "../functions/runtime/secret-rights.ts";
import {
  type StorePart,
  storeParts,
  storeRights,
  writtenBy,
} from "../functions/runtime/store-rights.ts";
import type { FunctionName } from "./functions.ts";

/**
 * The rights of each function. One test compares this table with the calls in each function's bundle, in both
 * directions, and another compares the deployed policies with this table.
 */

/** The resources in policies; the stack knows their ARNs. */
const fixedResources = [
  "table",
  "stream",
  "machines",
  "executions",
  "bus",
  "hubs-bus",
  "webhook-queue",
  "recheck-queue",
  "core-worker",
  "hub-worker",
  "site-worker",
  "due",
  "sweep",
  "webhooks",
  "hosted-zones",
  "zone-changes",
  "dead-letters",
  "own-logs",
  "key",
  "anything",
] as const;
/** The secrets of one family. */
export type SecretResource = `secrets of ${SecretFamily}`;
const secretsOf = (family: SecretFamily): SecretResource => `secrets of ${family}`;

/** One index of the table. */
export type IndexResource = `index ${Index}`;
const resourceOf = (index: Index): IndexResource => `index ${index}`;

export const resources = [
  ...fixedResources,
  ...indexes.map(resourceOf),
  ...secretFamilyNames.map(secretsOf),
];
export type Resource = (typeof fixedResources)[number] | IndexResource | SecretResource;

/**
 * The names of each family's secrets in policies, after the stage's prefix. They end in `*`, since AWS appends
 * random characters to the ARN of an existing secret.
 */
export const secretPatterns = secretFamilyNames.map((family) => ({
  resource: secretsOf(family),
  pattern: `${secretFamilies[family].replace(/\*$/, "")}*`,
}));

export interface Grant {
  actions: readonly string[];
  on: readonly Resource[];
  /** Limits the right to items of these partitions: names, or prefixes that end in `*`. */
  partitions?: readonly string[];
}

/** The calls of the store's adapter; a transaction needs the rights of its parts. */
const storeActions: Record<StoreUse, string> = {
  get: "dynamodb:GetItem",
  getMany: "dynamodb:BatchGetItem",
  query: "dynamodb:Query",
  put: "dynamodb:PutItem",
  update: "dynamodb:UpdateItem",
  delete: "dynamodb:DeleteItem",
  check: "dynamodb:ConditionCheckItem",
};
const partitionsOf = (parts: readonly StorePart[]) => parts.flatMap((part) => storeParts[part]);

/** A function's rights to the table, as its code declares them. An index lists only keys. */
function store(name: FunctionName): Grant[] {
  const rights = storeRights[name];
  const { read, reading, writing, indexes, check = [] } = rights;
  const onTable = (uses: readonly StoreUse[], of: "everything" | readonly StorePart[]): Grant => ({
    actions: uses.map((use) => storeActions[use]),
    on: ["table"],
    ...(of !== "everything" && { partitions: partitionsOf(of) }),
  });
  const all = [onTable(reading, read), onTable(writing, writtenBy(rights))];
  if (check.length > 0) all.push(onTable(["check"], check));
  if (indexes.length > 0) all.push({ actions: [storeActions.query], on: indexes.map(resourceOf) });
  return all.filter(({ actions }) => actions.length > 0);
}

const answers: Grant = {
  actions: ["states:SendTaskSuccess", "states:SendTaskFailure"],
  on: ["machines"],
};
const starts: Grant = { actions: ["states:StartExecution"], on: ["machines"] };
const describes: Grant = { actions: ["states:DescribeExecution"], on: ["executions"] };
/** A worker reads the definition of its execution. */
const plans: Grant = {
  actions: ["states:DescribeStateMachineForExecution"],
  on: ["executions"],
};
const publishes: Grant = { actions: ["events:PutEvents"], on: ["bus"] };
const rechecks: Grant = {
  actions: ["lambda:InvokeFunction"],
  on: ["core-worker", "hub-worker", "site-worker"],
};

const secretActions: Record<SecretUse, string[]> = {
  read: ["secretsmanager:GetSecretValue"],
  write: [
    "secretsmanager:CreateSecret",
    "secretsmanager:PutSecretValue",
    "secretsmanager:RestoreSecret",
  ],
  remove: ["secretsmanager:DeleteSecret"],
};

/** A function's rights to secrets, as its code declares them. */
const secrets = (name: FunctionName): Grant[] =>
  secretUses.flatMap((use) => {
    const families: readonly SecretFamily[] = secretRights[name][use];
    if (families.length === 0) return [];
    return [{ actions: secretActions[use], on: families.map(secretsOf) }];
  });

const outside: Grant[] = [answers, plans, rechecks];

/** The rights that each function's code needs. */
export const grants: Record<FunctionName, Grant[]> = {
  api: [
    ...store("api"),
    ...secrets("api"),
    { actions: ["lambda:InvokeFunction"], on: ["hub-worker"] },
    { actions: ["events:PutEvents"], on: ["hubs-bus"] },
  ],
  watch: store("watch"),
  /** The authorizer calls issuers, and no AWS service. */
  authorizer: [],
  relay: [
    ...store("relay"),
    starts,
    answers,
    publishes,
    rechecks,
    { actions: ["sqs:SendMessage"], on: ["webhook-queue", "recheck-queue"] },
  ],
  observe: [...store("observe"), answers, rechecks],
  "site-controller": [
    ...store("site-controller"),
    { actions: ["lambda:InvokeFunction"], on: ["core-worker"] },
    ...secrets("site-controller"),
  ],
  /** The function for due operations calls itself for each shard. */
  due: [
    ...store("due"),
    starts,
    describes,
    answers,
    publishes,
    rechecks,
    { actions: ["lambda:InvokeFunction"], on: ["due"] },
  ],
  sweep: [
    ...store("sweep"),
    { actions: ["lambda:InvokeFunction"], on: ["hub-worker", "site-worker"] },
  ],
  webhooks: [...store("webhooks"), ...secrets("webhooks")],
  halted: store("halted"),
  "core-worker": [...store("core-worker"), answers, plans, rechecks, ...secrets("core-worker")],
  "hub-worker": [...store("hub-worker"), ...outside, ...secrets("hub-worker")],
  "site-worker": [...store("site-worker"), ...outside, ...secrets("site-worker")],
};

/** Further rights of the outside workers at stages with names in Route 53 zones. */
export const zoneGrants: Grant[] = [
  {
    actions: ["route53:ChangeResourceRecordSets", "route53:ListResourceRecordSets"],
    on: ["hosted-zones"],
  },
  { actions: ["route53:GetChange"], on: ["zone-changes"] },
];

const logsAndTraces: Grant[] = [
  { actions: ["logs:CreateLogStream", "logs:PutLogEvents"], on: ["own-logs"] },
  { actions: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"], on: ["anything"] },
];
const deadLetters: Grant = { actions: ["sqs:SendMessage"], on: ["dead-letters"] };
const networkInterfaces: Grant = {
  actions: [
    "ec2:CreateNetworkInterface",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSubnets",
    "ec2:DeleteNetworkInterface",
    "ec2:AssignPrivateIpAddresses",
    "ec2:UnassignPrivateIpAddresses",
  ],
  on: ["anything"],
};

const takesFrom = (queue: Resource): Grant => ({
  actions: ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
  on: [queue],
});

/** The rights for what Lambda does on a function's behalf. */
export const platformGrants: Record<FunctionName, Grant[]> = {
  api: logsAndTraces,
  watch: logsAndTraces,
  relay: [
    ...logsAndTraces,
    deadLetters,
    {
      actions: ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
      on: ["stream"],
    },
    { actions: ["dynamodb:ListStreams"], on: ["anything"] },
  ],
  authorizer: [...logsAndTraces, networkInterfaces],
  observe: [...logsAndTraces, deadLetters],
  "site-controller": logsAndTraces,
  due: [...logsAndTraces, deadLetters, takesFrom("recheck-queue")],
  sweep: [...logsAndTraces, deadLetters],
  webhooks: [...logsAndTraces, deadLetters, takesFrom("webhook-queue")],
  halted: [...logsAndTraces, deadLetters],
  "core-worker": [...logsAndTraces, deadLetters],
  "hub-worker": [...logsAndTraces, deadLetters, networkInterfaces],
  "site-worker": [...logsAndTraces, deadLetters, networkInterfaces],
};

/**
 * The right to use the stage's own key, for every role with other rights. A role that only reads would
 * need no new data keys, but no role only reads the table.
 */
export const keyGrant: Grant = {
  actions: ["kms:Decrypt", "kms:GenerateDataKey"],
  on: ["key"],
};

/** The rights of the state machines themselves. */
export const machineGrants: Grant[] = [
  { actions: ["lambda:InvokeFunction"], on: ["core-worker", "hub-worker", "site-worker"] },
  {
    actions: [
      "logs:CreateLogDelivery",
      "logs:GetLogDelivery",
      "logs:UpdateLogDelivery",
      "logs:DeleteLogDelivery",
      "logs:ListLogDeliveries",
      "logs:PutResourcePolicy",
      "logs:DescribeResourcePolicies",
      "logs:DescribeLogGroups",
    ],
    on: ["anything"],
  },
  {
    actions: [
      "xray:PutTraceSegments",
      "xray:PutTelemetryRecords",
      "xray:GetSamplingRules",
      "xray:GetSamplingTargets",
    ],
    on: ["anything"],
  },
];

/** The rights of the schedules. */
export const scheduleGrants: Grant[] = [
  { actions: ["lambda:InvokeFunction"], on: ["due", "sweep", "webhooks"] },
  deadLetters,
];

/** The only actions that may be granted on `*`, with the reasons. */
export const withoutResource: Record<string, string> = {
  "xray:PutTraceSegments": "X-Ray has no resource for segments",
  "xray:PutTelemetryRecords": "X-Ray has no resource for telemetry",
  "xray:GetSamplingRules": "X-Ray has no resource for reading sampling rules",
  "xray:GetSamplingTargets": "X-Ray has no resource for sampling targets",
  "ec2:CreateNetworkInterface": "Lambda asks for it unconditionally for functions in a VPC",
  "ec2:DescribeNetworkInterfaces": "EC2 has no resource for describing",
  "ec2:DescribeSubnets": "EC2 has no resource for describing",
  "ec2:DeleteNetworkInterface": "the interfaces are Lambda's; their ids are not known before",
  "ec2:AssignPrivateIpAddresses": "the interfaces are Lambda's; their ids are not known before",
  "ec2:UnassignPrivateIpAddresses": "the interfaces are Lambda's; their ids are not known before",
  "dynamodb:ListStreams": "DynamoDB has no resource for listing streams",
  "logs:CreateLogDelivery": "CloudWatch Logs has no resource for deliveries",
  "logs:GetLogDelivery": "CloudWatch Logs has no resource for deliveries",
  "logs:UpdateLogDelivery": "CloudWatch Logs has no resource for deliveries",
  "logs:DeleteLogDelivery": "CloudWatch Logs has no resource for deliveries",
  "logs:ListLogDeliveries": "CloudWatch Logs has no resource for deliveries",
  "logs:PutResourcePolicy": "CloudWatch Logs has no resource for resource policies",
  "logs:DescribeResourcePolicies": "CloudWatch Logs has no resource for resource policies",
  "logs:DescribeLogGroups": "Step Functions asks for it on all log groups",
};
