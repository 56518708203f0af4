/**
 * AWS's list prices of us-east-1 in US dollars, without free tier or discounts, from the services' pricing pages at the
 * date below. Change the date with the prices. The golden test compares counts; the prices only convert them.
 */
export const prices = {
  asOf: "2026-11-21",
  region: "us-east-1",
  source:
    "https://aws.amazon.com/{dynamodb,step-functions,lambda,eventbridge,sqs,api-gateway,cloudwatch,xray}/pricing/",
  /** DynamoDB on demand, standard table class (since 1 November 2024). */
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  /** Step Functions, standard workflows. */
  stateTransition: 25e-6,
  /** Lambda on arm64. */
  invocation: 0.2e-6,
  gigabyteSecond: 0.0000133334,
  /** EventBridge: a custom event, per 64 KB. */
  event: 1e-6,
  /** SQS: a request to a standard queue, per 64 KB. A message is sent, received and deleted. */
  queueRequest: 0.4e-6,
  /** API Gateway: a request of an HTTP API, per 512 KB. */
  request: 1e-6,
  /** CloudWatch Logs: an ingested byte of the standard class. */
  logByte: 0.5 / 1024 ** 3,
  /** X-Ray: a recorded trace. */
  trace: 5e-6,
} as const;

/**
 * How long functions run, in milliseconds: an estimate from their calls, since no function runs here. A run computes
 * for `invocation` on the processor that belongs to `processor` gigabytes, and each call takes the usual response time
 * of AWS or the outside system.
 */
export const durations = {
  invocation: 5,
  processor: 0.75,
  store: 5,
  aws: 15,
  outside: 40,
} as const;

/**
 * The size of a request's line in the access log, in bytes. Lambda's own lines for each run are not stored, and a
 * successful run writes none.
 */
export const accessLine = 600;

/** The part of traces recorded by the default sampling rule, beyond the first of each second. */
export const sampled = 0.05;

/** The size of a Step Functions task token in bytes; ours are shorter. */
export const tokenBytes = 700;
