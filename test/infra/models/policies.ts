import * as z from "zod";
import type { Call } from "./calls.ts";
import { operationsOf } from "./constraints.ts";
import { inlinePolicies } from "./documented.ts";
import type { Judgement } from "./judge.ts";

/** Holds the policies of a stack against the actions that there are. */

/** The members that are policies. */
const documents: Record<string, string[]> = {
  "events:PutPermission": ["Policy"],
  "iam:CreateRole": ["AssumeRolePolicyDocument"],
  "iam:PutRolePolicy": ["PolicyDocument"],
  "kms:CreateKey": ["Policy"],
  "s3:PutBucketPolicy": ["Policy"],
  "sns:SetTopicAttributes": ["AttributeValue"],
  "sqs:SetQueueAttributes": ["Attributes", "Policy"],
};

const list = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const policySchema = z.object({
  Statement: z.array(
    z.object({
      Effect: z.enum(["Allow", "Deny"]),
      Action: list,
      Principal: z.union([z.literal("*"), z.record(z.string(), list)]).optional(),
    }),
  ),
});
type Policy = z.output<typeof policySchema>;

/** Actions that no operation is named after. */
const permissionOnly: Record<string, string> = {
  "dynamodb:ConditionCheckItem": "list_amazondynamodb",
  "events:InvokeApiDestination": "list_amazoneventbridge",
  "kms:ReEncryptFrom": "list_awskeymanagementservice",
  "kms:ReEncryptTo": "list_awskeymanagementservice",
  "lambda:InvokeFunction": "list_awslambda",
  "logs:CreateLogDelivery": "list_amazoncloudwatchlogs",
  "logs:DeleteLogDelivery": "list_amazoncloudwatchlogs",
  "logs:GetLogDelivery": "list_amazoncloudwatchlogs",
  "logs:ListLogDeliveries": "list_amazoncloudwatchlogs",
  "logs:UpdateLogDelivery": "list_amazoncloudwatchlogs",
};
/** Each is a page there. */
const source = "https://docs.aws.amazon.com/service-authorization/latest/reference/";

/** What making, changing and removing an alias asks of the key as well as of the alias. */
const aliasActions = ["kms:CreateAlias", "kms:UpdateAlias", "kms:DeleteAlias"];
const aliasSource = "https://docs.aws.amazon.com/kms/latest/developerguide/alias-access.html";

export function judgePolicies(judgement: Judgement, calls: readonly Call[]): void {
  const hasAlias = calls.some(({ operation }) => operation.name === "kms:CreateAlias");
  for (const call of calls) {
    const where = `${call.of} ${call.operation.name}`;
    for (const action of actionsOf(call))
      judgement.holds(exists(action), where, `there is no action ${action} (${source})`);
    if (hasAlias && call.operation.name === "kms:CreateKey") judgeKey(judgement, call, where);
  }
  for (const [role, size] of inlineSizes(calls)) {
    const { max, source } = inlinePolicies;
    judgement.holds(size <= max, role, `inline policies of ${size} > ${max} (${source})`);
  }
}

function policyOf({ operation, input }: Call): Policy | undefined {
  const path = documents[operation.name];
  const text = path?.reduce<unknown>((value, name) => Object(value)[name], input);
  return text === undefined ? undefined : policySchema.parse(JSON.parse(String(text)));
}

function actionsOf(call: Call): string[] {
  if (call.operation.name === "lambda:AddPermission") return [String(call.input.Action)];
  return policyOf(call)?.Statement.flatMap(({ Action }) => Action) ?? [];
}

/** A pattern is as good as an action that it allows. */
function exists(action: string): boolean {
  const [prefix = ""] = action.split(":");
  const known = operationsOf(prefix)?.map((name) => `${prefix}:${name}`) ?? [];
  return [...known, ...Object.keys(permissionOnly)].some((each) => covers(action, each));
}

/** Whether an action of a policy, perhaps with `*` in it, is or allows another. */
function covers(pattern: string, action: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.?+^$()[\]{}|\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "i").test(action);
}

const isAccount = (principal: string): boolean => /^arn:[\w-]+:iam::\d+:root$/.test(principal);

/** The key's policy hands to the account's IAM what an alias of the key needs. */
function judgeKey(judgement: Judgement, call: Call, where: string): void {
  const forIam = policyOf(call)
    ?.Statement.filter(
      ({ Effect, Principal }) =>
        Effect === "Allow" && typeof Principal === "object" && Principal.AWS?.some(isAccount),
    )
    .flatMap(({ Action }) => Action);
  for (const action of aliasActions)
    judgement.holds(
      forIam?.some((each) => covers(each, action)) ?? false,
      where,
      `its policy does not let IAM allow ${action}: nobody can make its alias (${aliasSource})`,
    );
}

/** Characters of all inline policies of each role, without white space. */
function inlineSizes(calls: readonly Call[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { operation, input, of } of calls) {
    if (operation.name !== "iam:PutRolePolicy") continue;
    const role = of.replace(/ inlinePolicies\.\d+$/, "");
    const size = String(input.PolicyDocument).replaceAll(/\s/g, "").length;
    sizes.set(role, (sizes.get(role) ?? 0) + size);
  }
  return sizes;
}
