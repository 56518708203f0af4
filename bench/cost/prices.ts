/**
 * What AWS charges: list prices of us-east-1 in US dollars, without free tier or discounts, from the
 * pricing pages of each service as known on the date below. Change the date with the prices; the
 * golden test pins counts, these only say what they come to.
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
  /** EventBridge: a custom event, each 64 KB of it. */
  event: 1e-6,
  /** SQS: a request to a standard queue, each 64 KB of it. A message is sent, received and deleted. */
  queueRequest: 0.4e-6,
  /** API Gateway: a request of an HTTP API, each 512 KB of it. */
  request: 1e-6,
  /** CloudWatch Logs: a byte of the standard class taken in. */
  logByte: 0.5 / 1024 ** 3,
  /** X-Ray: a trace that is recorded. */
  trace: 5e-6,
} as const;

/**
 * How long a function runs: an estimate from what it calls, since no function runs here. A run computes
 * for `invocation` on the processor that comes with `processor` gigabytes, and each call takes the time
 * that AWS or a system outside usually needs to answer. In milliseconds.
 */
export const durations = {
  invocation: 5,
  processor: 0.75,
  store: 5,
  aws: 15,
  outside: 40,
} as const;

/**
 * The line of a request in the access log, in bytes. Lambda's own lines at the start and end of each run
 * are not kept, and a run that goes well writes none.
 */
export const accessLine = 600;

/** The part of traces that is recorded by the usual rule, beyond the first of each second. */
export const sampled = 0.05;

/** A task token of Step Functions in bytes; ours are shorter. */
export const tokenBytes = 700;
