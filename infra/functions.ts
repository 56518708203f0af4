/** Every Lambda function: where it begins, and how large its bundle may become. */

const KB = 1024;

export interface FunctionEntry {
  /** The file that exports `handler`. */
  entry: string;
  /** Bytes. A bundle is read at every cold start. */
  budget: number;
  /** A folder that its code finds as `assets/` beside it. */
  assets?: string;
}

/** The client of DynamoDB is half of it; the largest of them has some 400 KB. */
const small = 450 * KB;
/** Without the Kubernetes client, which is loaded with the first call of a hub: some 450 KB. */
const outside = 500 * KB;

const entries = {
  api: {
    ...{ entry: "functions/api/lambda.ts", budget: 650 * KB },
    assets: "functions/api/docs/assets",
  },
  /** Those of its requests that wait. */
  watch: { entry: "functions/api/watch-lambda.ts", budget: small },
  /** Only where a stage asks for it. */
  authorizer: { entry: "functions/authorizer-lambda.ts", budget: small },
  relay: { entry: "functions/relay-lambda.ts", budget: small },
  observe: { entry: "functions/observe-lambda.ts", budget: small },
  due: { entry: "functions/due-lambda.ts", budget: small },
  sweep: { entry: "functions/sweep-lambda.ts", budget: small },
  webhooks: { entry: "functions/webhooks-lambda.ts", budget: small },
  halted: { entry: "functions/halted-lambda.ts", budget: small },
  "core-worker": { entry: "functions/core-worker-lambda.ts", budget: small },
  "hub-worker": { entry: "functions/outside-worker-lambda.ts", budget: outside },
  "site-worker": { entry: "functions/outside-worker-lambda.ts", budget: outside },
} satisfies Record<string, FunctionEntry>;

export type FunctionName = keyof typeof entries;

export const functions: Record<FunctionName, FunctionEntry> = entries;

export const functionNames = Object.keys(functions) as FunctionName[];
