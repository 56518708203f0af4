/** Every Lambda function: its entry point, and the budget of its bundle. */

const KB = 1024;

export interface FunctionEntry {
  /** The file that exports `handler`. */
  entry: string;
  /** The most bytes that a cold start reads, without lazy files. */
  budget: number;
  /**
   * Its memory, and with it its share of a processor (a whole one at 1,769 MB). Computing costs the same at any
   * memory; waiting costs in proportion to the memory. So functions that mostly wait for the store have little:
   * they compute for some milliseconds, and start in 0.3 s (`npm run bench -- cold`). Functions with whole lists of
   * a hub or a site have more: at 12.5 KB per agent, a list of 2,000 takes 270 MB in all, one of 4,000 takes 470.
   * The API has most, since people wait for its answers.
   */
  megabytes: number;
  /** A folder that its code reads as `assets/` beside it. */
  assets?: string;
  /** Members of steps and of the API's part of kinds that the function never runs. */
  without?: readonly string[];
}

/** The default budget. The DynamoDB client is half of most bundles; the largest, the API's start, has 478 KB. */
const usual = 482 * KB;
/** The budget of what carries every saga, or the form of every kind: 572 KB at most. It grows with the kinds. */
const every = 578 * KB;
/**
 * The budget of the outside workers: with fabrics, DNS, storage, servers, inventories, instances, DPUs, allocations and their sweeps
 * 702 KB. The Kubernetes client is loaded with the first call of a hub.
 */
const outside = 715 * KB;
/** The budget of a function without a client of AWS: 27 KB. */
const alone = 50 * KB;

const entries = {
  api: {
    ...{ entry: "functions/api-lambda.ts", budget: usual, megabytes: 1024 },
    assets: "functions/api/docs/assets",
  },
  /** Watches: their waiting time is charged, and they need little memory. */
  watch: {
    ...{ entry: "functions/watch-lambda.ts", budget: usual, megabytes: 256 },
    without: ["actions", "orders", "build", "remove", "asFarAsValid"],
  },
  /** Deployed only if a stage's parameters request it. */
  authorizer: { entry: "functions/authorizer-lambda.ts", budget: alone, megabytes: 512 },
  relay: { entry: "functions/relay-lambda.ts", budget: usual, megabytes: 256 },
  /** A report only decides whether a step continues. */
  observe: {
    ...{ entry: "functions/observe-lambda.ts", budget: usual, megabytes: 256 },
    without: ["act", "look"],
  },
  /** Deployed only if a stage's parameters say where machines call from. */
  "site-controller": {
    ...{ entry: "functions/site-controller-lambda.ts", budget: usual, megabytes: 512 },
  },
  due: { entry: "functions/due-lambda.ts", budget: usual, megabytes: 256 },
  sweep: { entry: "functions/sweep-lambda.ts", budget: usual, megabytes: 512 },
  webhooks: { entry: "functions/webhooks-lambda.ts", budget: usual, megabytes: 512 },
  halted: { entry: "functions/halted-lambda.ts", budget: usual, megabytes: 512 },
  "core-worker": { entry: "functions/core-worker-lambda.ts", budget: every, megabytes: 256 },
  "hub-worker": { entry: "functions/outside-worker-lambda.ts", budget: outside, megabytes: 512 },
  "site-worker": { entry: "functions/outside-worker-lambda.ts", budget: outside, megabytes: 512 },
} satisfies Record<string, FunctionEntry>;

export type FunctionName = keyof typeof entries;

export const functions: Record<FunctionName, FunctionEntry> = entries;

export const functionNames = Object.keys(functions) as FunctionName[];
