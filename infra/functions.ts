/** Every Lambda function: where it begins, and how large its bundle may become. */

const KB = 1024;

export interface FunctionEntry {
  /** The file that exports `handler`. */
  entry: string;
  /** Bytes that a cold start reads; what is loaded later is not in it. */
  budget: number;
  /** A folder that its code finds as `assets/` beside it. */
  assets?: string;
  /** What it never runs of a step. */
  without?: readonly string[];
}

/** The client of DynamoDB is half of most; the largest, the core worker's with every saga, has 365 KB. */
const usual = 400 * KB;
/** With fabrics, DNS and storage 415 KB. The Kubernetes client is loaded with the first call of a hub. */
const outside = 450 * KB;
/** It has no client of AWS: 27 KB. */
const alone = 50 * KB;

const entries = {
  api: {
    ...{ entry: "functions/api-lambda.ts", budget: usual },
    assets: "functions/api/docs/assets",
  },
  /** Those of its requests that wait. */
  watch: { entry: "functions/watch-lambda.ts", budget: usual },
  /** Only where a stage asks for it. */
  authorizer: { entry: "functions/authorizer-lambda.ts", budget: alone },
  relay: { entry: "functions/relay-lambda.ts", budget: usual },
  /** News only decides whether a step goes on. */
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
