import type { Metafile } from "esbuild";

/** The calls to AWS that a bundle can make: the SDK's commands in it, as actions of IAM. */

const services: Record<string, string> = {
  "client-dynamodb": "dynamodb",
  "client-eventbridge": "events",
  "client-lambda": "lambda",
  "client-route-53": "route53",
  "client-secrets-manager": "secretsmanager",
  "client-sfn": "states",
  "client-sqs": "sqs",
};

/** What a command needs, where that is not the action of its own name. */
const needs: Record<string, string[]> = {
  "lambda:Invoke": ["lambda:InvokeFunction"],
  // A transaction of the store puts, updates, deletes and checks.
  "dynamodb:TransactWriteItems": [
    "dynamodb:PutItem",
    "dynamodb:UpdateItem",
    "dynamodb:DeleteItem",
    "dynamodb:ConditionCheckItem",
  ],
  // In every DynamoDB client, for discovering endpoints, which nobody has turned on.
  "dynamodb:DescribeEndpoints": [],
};

export function callsIn({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const actions = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => actionsOf(path));
  return [...new Set(actions)].sort();
}

function actionsOf(path: string): string[] {
  const [, client = "", command] =
    /node_modules\/@aws-sdk\/(client-[\w-]+)\/dist-es\/commands\/(\w+)Command\.js$/.exec(path) ??
    [];
  if (command === undefined) return [];
  const service = services[client];
  if (service === undefined) throw new Error(`nothing is known of ${client}`);
  const action = `${service}:${command}`;
  return needs[action] ?? [action];
}
