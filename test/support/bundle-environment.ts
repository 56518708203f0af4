/** Whose tokens a deployed API accepts. */
export const issuer = "https://login.example.com";

/** What a deployed function finds in its environment, with AWS at this URL. */
export const bundleEnvironment = (url: string): Record<string, string> => ({
  AWS_ENDPOINT_URL: url,
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "AKID",
  AWS_SECRET_ACCESS_KEY: "secret",
  STAGE: "slipway-test",
  TABLE: "slipway-test",
  BUS: "slipway-test",
  HUBS_BUS: "slipway-test-hubs",
  WEBHOOK_QUEUE: "https://sqs.us-east-1.amazonaws.com/123456789012/slipway-test-webhooks",
  RECHECK_QUEUE: "https://sqs.us-east-1.amazonaws.com/123456789012/slipway-test-rechecks",
  DUE: "due",
  STATE_MACHINES: "arn:aws:states:us-east-1:123456789012:stateMachine:slipway-test-",
  STATE_MACHINE_ALIAS: "live",
  SECRETS_PREFIX: "slipway/test/",
  ISSUERS: JSON.stringify([{ issuer, audiences: ["slipway"] }]),
  WATCHES: "16",
  TENANT_WATCHES: "8",
  USER_WATCHES: "4",
  CORE_WORKER: "core",
  HUB_WORKER: "hub",
  SITE_WORKER: "site",
  ZONE: "hub",
  WORKER_TIMEOUT: "58500",
  WORKERS: "50",
});
