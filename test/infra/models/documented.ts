import type { Call } from "./calls.ts";
import { type Judgement, matches } from "./judge.ts";

/** Limits that AWS documents and its models do not hold: quotas, and what attributes may be. */

interface Limit {
  min?: number;
  max?: number;
  pattern?: string;
  multipleOf?: number;
  source: string;
  /** What is counted; the value, or the characters of a text, unless said. */
  of?: "bytes of keys and values";
}

const docs = (page: string): { source: string } => ({
  source: `https://docs.aws.amazon.com/${page}.html`,
});
const dynamodb = docs("amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes");
const events = docs("eventbridge/latest/userguide/eb-quota");
const iam = docs("IAM/latest/UserGuide/reference_iam-quotas");
const lambda = docs("lambda/latest/dg/gettingstarted-limits");
const queues = docs("AWSSimpleQueueService/latest/APIReference/API_CreateQueue");
const securityGroups = docs("AWSEC2/latest/APIReference/API_CreateSecurityGroup");

/** All inline policies of a role together, without white space. */
export const inlinePolicies = { max: 10_240, ...iam } satisfies Limit;

/** By operation and member. */
const limits: Record<string, Record<string, Limit>> = {
  "cloudfront:CreateFunction": {
    FunctionCode: {
      max: 10_240,
      ...docs("AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits"),
    },
  },
  "cloudwatch:PutDashboard": {
    DashboardName: {
      pattern: "[A-Za-z0-9_-]{1,255}",
      ...docs("AmazonCloudWatch/latest/APIReference/API_PutDashboard"),
    },
  },
  "cloudwatch:PutMetricAlarm": {
    ExtendedStatistic: {
      pattern: "p(\\d{1,2}(\\.\\d+)?|100)|[a-zA-Z]+\\(.*\\)",
      ...docs("AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm"),
    },
    Period: {
      multipleOf: 60,
      ...docs("AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm"),
    },
    TreatMissingData: {
      pattern: "breaching|notBreaching|ignore|missing",
      ...docs("AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm"),
    },
  },
  "dynamodb:CreateTable": { TableName: { pattern: "[a-zA-Z0-9_.-]{3,255}", ...dynamodb } },
  "ec2:CreateSecurityGroup": {
    GroupName: { pattern: "(?!sg-)[a-zA-Z0-9 ._:/()#,@[\\]+=&;{}!$*-]{1,255}", ...securityGroups },
    Description: { pattern: "[a-zA-Z0-9 ._:/()#,@[\\]+=&;{}!$*-]{1,255}", ...securityGroups },
  },
  "events:PutPermission": { Policy: { max: 10_240, ...events } },
  "events:PutRule": { EventPattern: { max: 2048, ...events } },
  "iam:CreateRole": { AssumeRolePolicyDocument: { max: 2048, ...iam } },
  "kms:CreateAlias": {
    AliasName: {
      pattern: "alias/(?!aws/).+",
      ...docs("kms/latest/APIReference/API_CreateAlias"),
    },
  },
  "kms:CreateKey": {
    Policy: { max: 32 * 1024, ...docs("kms/latest/developerguide/resource-limits") },
  },
  "lambda:CreateFunction": {
    FunctionName: { max: 64, ...docs("lambda/latest/api/API_CreateFunction") },
    Timeout: { max: 900, ...lambda },
    MemorySize: { max: 10_240, ...lambda },
    "Environment.Variables": { max: 4096, of: "bytes of keys and values", ...lambda },
  },
  "logs:PutRetentionPolicy": {
    retentionInDays: {
      pattern: "1|3|5|7|14|30|60|90|120|150|180|365|400|545|731|1096|1827|2192|2557|2922|3288|3653",
      ...docs("AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy"),
    },
  },
  "scheduler:CreateSchedule": {
    ScheduleExpression: {
      pattern: "rate\\([1-9]\\d* (minute|hour|day)s?\\)|cron\\(.+\\)|at\\(.+\\)",
      ...docs("scheduler/latest/APIReference/API_CreateSchedule"),
    },
  },
  "sns:CreateTopic": {
    Name: { pattern: "[A-Za-z0-9_-]{1,256}", ...docs("sns/latest/api/API_CreateTopic") },
  },
  "sns:SetTopicAttributes": {
    AttributeValue: {
      max: 30 * 1024,
      ...docs("sns/latest/dg/sns-access-policy-language-api-permissions-reference"),
    },
  },
  "sns:Subscribe": {
    Protocol: {
      pattern: "https?|email(-json)?|sms|sqs|application|lambda|firehose",
      ...docs("sns/latest/api/API_Subscribe"),
    },
  },
  "sqs:CreateQueue": {
    QueueName: { pattern: "[A-Za-z0-9_-]{1,80}", ...queues },
    "Attributes.VisibilityTimeout": { min: 0, max: 43_200, ...queues },
    "Attributes.MessageRetentionPeriod": { min: 60, max: 1_209_600, ...queues },
  },
  "sqs:SetQueueAttributes": {
    "Attributes.Policy": {
      max: 8192,
      ...docs("AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies"),
    },
  },
  "stepfunctions:CreateStateMachine": {
    definition: {
      max: 1024 * 1024,
      ...docs("step-functions/latest/dg/service-quotas"),
    },
  },
};

/** Holds a call against what is documented of it. */
export function judgeDocumented(judgement: Judgement, { operation, input, of }: Call): void {
  for (const [path, limit] of Object.entries(limits[operation.name] ?? {})) {
    const value = at(input, path.split("."));
    if (value === undefined) continue;
    const where = `${of} ${operation.name} ${path}`;
    const size = limit.of ? bytesOf(value) : sizeOf(value);
    const { min, max, multipleOf, pattern, source } = limit;
    if (min !== undefined) judgement.holds(size >= min, where, `${size} < ${min} (${source})`);
    if (max !== undefined) judgement.holds(size <= max, where, `${size} > ${max} (${source})`);
    if (multipleOf !== undefined)
      judgement.holds(
        size % multipleOf === 0,
        where,
        `${size} is no multiple of ${multipleOf} (${source})`,
      );
    if (pattern !== undefined)
      judgement.holds(
        matches(pattern, String(value)),
        where,
        `${value} does not match ${pattern} (${source})`,
      );
  }
}

const at = (value: unknown, [first, ...rest]: string[]): unknown =>
  first === undefined ? value : at(Object(value)[first], rest);

/** Attributes of queues are numbers in a text. */
function sizeOf(value: unknown): number {
  const text = String(value);
  return /^\d+$/.test(text) ? Number(text) : Buffer.byteLength(text);
}

const bytesOf = (value: unknown): number =>
  Object.entries(Object(value)).reduce(
    (sum, [key, each]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(each)),
    0,
  );
