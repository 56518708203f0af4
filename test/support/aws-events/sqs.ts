import type { SQSEvent } from "aws-lambda";

/**
 * A batch of a standard queue, whose messages are of one group.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html
 */
export const queueEvent = (group: string, messages: Record<string, string>): SQSEvent => ({
  Records: Object.entries(messages).map(([messageId, body]) => ({
    messageId,
    receiptHandle: "AQEBBX8nesZEXmkhsmZeyIE8iQAMig7qw...",
    body,
    attributes: {
      ApproximateReceiveCount: "1",
      SentTimestamp: "1573251510774",
      MessageGroupId: group,
      SenderId: "AIDAIO23YVJENQZJOL4VO",
      ApproximateFirstReceiveTimestamp: "1573251510774",
    },
    messageAttributes: {},
    md5OfBody: "e4e68fb7bd0e697a0ae8f1bb342846b3",
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:us-east-1:123456789012:slipway-prod-webhooks",
    awsRegion: "us-east-1",
  })),
});
