/**
 * What AWS charges: list prices of us-east-1 in US dollars, without free tier or discounts, from the
 * pricing pages of each service as known on the date below. Change the date with the prices; the
 * golden test pins counts, these only say what they come to.
 */
export const prices = {
  asOf: "2026-11-21",
  region: "us-east-1",
  source:
    "https://aws.amazon.com/{dynamodb,step-functions,lambda,eventbridge,api-gateway}/pricing/",
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
  /** API Gateway: a request of an HTTP API, each 512 KB of it. */
  request: 1e-6,
} as const;

/**
 * How long a function runs: an estimate from what it calls, since no function runs here. A warm
 * invocation takes `invocation` of its own, and each call the time that AWS or a system outside
 * usually needs to answer. In milliseconds.
 */
export const durations = { invocation: 5, store: 5, aws: 15, outside: 40 } as const;

/** Memory of the functions, in gigabytes: the workers' of hubs and sites, which the others are below. */
export const memory = 0.75;

/** A task token of Step Functions in bytes; ours are shorter, and an operation holds those of its open steps. */
export const tokenBytes = 700;
