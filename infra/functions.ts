/** Every Lambda function: its entry point, and the budget of its bundle. */

const KB = 1024;

export interface FunctionEntry {
  /** The file that exports `handler`. */
  entry: string;
  /** The most bytes that a cold start reads, without files that are loaded later. */
  budget: number;
  /** A folder that its code finds as `assets/` beside it. */
  assets?: string;
  /** Members of steps that the function never runs. */
  without?: readonly string[];
}

/**
 * The usual budget. The client of DynamoDB is half of most bundles; the largest, the core worker's with
 * every saga, has 365 KB.
 */
const usual = 400 * KB;
/**
 * The budget of the outside workers: with fabrics, DNS and storage 415 KB. The Kubernetes client is
 * loaded with the first call of a hub.
 */
const outside = 450 * KB;
/** The budget of a function without a client of AWS: 27 KB. */
const alone = 50 * KB;

const entries = {
  api: {
    ...{ entry: "functions/api-lambda.ts", budget: usual },
    assets: "functions/api/docs/assets",
  },
  /** The API's requests that wait. */
  watch: { entry: "functions/watch-lambda.ts", budget: usual },
  /** Deployed only if a stage asks for it. */
  authorizer: { entry: "functions/authorizer-lambda.ts", budget: alone },
  relay: { entry: "functions/relay-lambda.ts", budget: usual },
  /** A report only decides whether a step goes on. */
  observe: {
    ...{ entry: "functions/observe-lambda.ts", budget: usual },
    without: ["act", "look"],
  },
  due: { entry: "functions/due-lambda.ts", budget: usual },
  sweep: { entry: "functions/sweep-lambda.ts", budget: usual },
  webhooks: { entry: "functions/webhooks-lambda.ts", budget: usual },
  halted: { entry: "functions/halted-lambda.ts", budget: usual },
  "core-worker": { entry: "functions/core-worker-lambda.ts", budget: usual },
  "hub-worker": { entry: "functions/outside-worker-lambda.ts", budget: outside },
  "site-worker": { entry: "functions/outside-worker-lambda.ts", budget: outside },
} satisfies Record<string, FunctionEntry>;

export type FunctionName = keyof typeof entries;

export const functions: Record<FunctionName, FunctionEntry> = entries;

export const functionNames = Object.keys(functions) as FunctionName[];
