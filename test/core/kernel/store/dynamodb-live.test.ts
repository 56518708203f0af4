import { beforeEach, it } from "vitest";
import { liveTable } from "../../../support/live-table.ts";
import { storeContract } from "./contract.ts";
import { dynamodbLocalLacks } from "./dynamodb-local.ts";

const endpoint = process.env.DYNAMODB_ENDPOINT;

const open = () =>
  liveTable({
    ...(endpoint && { endpoint }),
    region: process.env.AWS_REGION ?? "us-east-1",
    // A server of one's own takes any; those of the environment are for the real one.
    ...(!process.env.AWS_ACCESS_KEY_ID && {
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
    }),
  });

if (endpoint) {
  beforeEach(async (test) => {
    const reason = await dynamodbLocalLacks(endpoint, test.task.name);
    if (reason !== undefined) test.skip(reason);
  });
  storeContract(`DynamoDB at ${endpoint}`, open, 10);
} else it.skip("needs DYNAMODB_ENDPOINT, the URL of a DynamoDB-compatible server", () => {});
