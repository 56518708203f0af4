import {
  CreateEventBusCommand,
  DeleteEventBusCommand,
  DeleteRuleCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from "@aws-sdk/client-eventbridge";
import { systemClock } from "../../../core/clock.ts";
import type { Bus } from "../../../core/kernel/events/events.ts";
import { eventBridge } from "../../../core/ports/bus/eventbridge.ts";
import { eventually } from "../../support/eventually.ts";
import { access, call, unique } from "./endpoint.ts";

/** What a rule hands to its target. */
export interface Received {
  source: string;
  "detail-type": string;
  detail: Record<string, unknown>;
}

export interface LiveBus {
  bus: Bus;
  /** Waits until there are so many, and gives all that came. */
  received(atLeast: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** A bus whose events of source `slipway` arrive in a queue. */
export async function liveBus(): Promise<LiveBus> {
  const client = new EventBridgeClient(access);
  const name = unique();
  await client.send(new CreateEventBusCommand({ Name: name }));
  const { QueueUrl } = await sqs<{ QueueUrl: string }>("CreateQueue", { QueueName: name });
  const { Attributes } = await sqs<{ Attributes: { QueueArn: string } }>("GetQueueAttributes", {
    QueueUrl,
    AttributeNames: ["QueueArn"],
  });
  const rule = { EventBusName: name };
  const { RuleArn } = await client.send(
    new PutRuleCommand({
      ...rule,
      Name: name,
      EventPattern: JSON.stringify({ source: ["slipway"] }),
    }),
  );
  const Policy = {
    Version: "2012-10-17",
    Statement: {
      Effect: "Allow",
      Principal: { Service: "events.amazonaws.com" },
      Action: "sqs:SendMessage",
      Resource: Attributes.QueueArn,
      Condition: { ArnEquals: { "aws:SourceArn": RuleArn } },
    },
  };
  await sqs("SetQueueAttributes", { QueueUrl, Attributes: { Policy: JSON.stringify(Policy) } });
  const Targets = [{ Id: "queue", Arn: Attributes.QueueArn }];
  await client.send(new PutTargetsCommand({ ...rule, Rule: name, Targets }));

  const all: Received[] = [];
  return {
    bus: eventBridge({ client, bus: name, wall: systemClock, random: Math.random }),
    received: (atLeast) =>
      eventually(async () => {
        all.push(...(await receive(QueueUrl)));
        if (all.length < atLeast) throw new Error(`${all.length} of ${atLeast} have come`);
        return all;
      }),
    close: async () => {
      await client.send(new RemoveTargetsCommand({ ...rule, Rule: name, Ids: ["queue"] }));
      await client.send(new DeleteRuleCommand({ ...rule, Name: name }));
      await client.send(new DeleteEventBusCommand({ Name: name }));
      await sqs("DeleteQueue", { QueueUrl });
      client.destroy();
    },
  };
}

const sqs = <Answer>(action: string, body: object): Promise<Answer> =>
  call<Answer>("sqs", `AmazonSQS.${action}`, body);

async function receive(QueueUrl: string): Promise<Received[]> {
  const { Messages = [] } = await sqs<{ Messages?: { Body: string; ReceiptHandle: string }[] }>(
    "ReceiveMessage",
    { QueueUrl, MaxNumberOfMessages: 10 },
  );
  for (const { ReceiptHandle } of Messages) await sqs("DeleteMessage", { QueueUrl, ReceiptHandle });
  return Messages.map(({ Body }) => JSON.parse(Body));
}
