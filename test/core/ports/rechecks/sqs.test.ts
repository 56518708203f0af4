import { createHash } from "node:crypto";
import { SQSClient } from "@aws-sdk/client-sqs";
import { describe } from "vitest";
import type { Recheck } from "../../../../core/kernel/saga/rechecks.ts";
import { sqsRecheckQueue } from "../../../../core/ports/rechecks/sqs.ts";
import { sdkOver } from "../../../support/sdk-over-fetch.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";
import { recheckQueueContract } from "./contract.ts";

describe("the queue on SQS", () => {
  recheckQueueContract(() => {
    const clock = new VirtualClock();
    const arrived: Recheck[] = [];
    const client = new SQSClient({
      region: "eu-west-1",
      credentials: { accessKeyId: "AKID", secretAccessKey: "secret" },
      requestHandler: sdkOver(async (_, { body }) => {
        const { MessageBody, DelaySeconds } = JSON.parse(String(body));
        // SQS refuses other delays.
        if (!Number.isInteger(DelaySeconds) || DelaySeconds < 0 || DelaySeconds > 900)
          return Response.json({ __type: "InvalidParameterValue" }, { status: 400 });
        clock.after(DelaySeconds * 1000, () => arrived.push(JSON.parse(MessageBody)));
        const MD5OfMessageBody = createHash("md5").update(MessageBody).digest("hex");
        return Response.json({ MessageId: "m-1", MD5OfMessageBody });
      }),
    });
    const queue = "https://sqs.eu-west-1.amazonaws.com/123456789012/slipway-rechecks";
    return { queue: sqsRecheckQueue({ client, queue }), clock, arrived };
  });
});
