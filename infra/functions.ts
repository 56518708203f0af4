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

const small = 450 * KB;
const worker = 2048 * KB;

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
  "core-worker": { entry: "functions/core-worker-lambda.ts", budget: worker },
  "hub-worker": { entry: "functions/outside-worker-lambda.ts", budget: worker },
  "site-worker": { entry: "functions/outside-worker-lambda.ts", budget: worker },
} satisfies Record<string, FunctionEntry>;

export type FunctionName = keyof typeof entries;

export const functions: Record<FunctionName, FunctionEntry> = entries;

export const functionNames = Object.keys(functions) as FunctionName[];
