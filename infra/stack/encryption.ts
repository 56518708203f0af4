/** The parts of ARNs: `aws`, the account, the region. */
export interface Place {
  partition: $util.Output<string>;
  account: $util.Output<string>;
  region: $util.Output<string>;
}

/** The actions that AWS calls `kms:ReEncrypt*`. */
const reEncrypt = ["kms:ReEncryptFrom", "kms:ReEncryptTo"];

/**
 * The rights of AWS services on the key, for resources of this account only. A condition with `IfExists` refuses
 * resources of other accounts, but allows calls that name no account: AWS documents only for logs that every call
 * names one, and for EventBridge that calls for topics name none. Roles need no statement here: IAM grants their
 * rights.
 */
function services({ partition, account, region }: Place) {
  const here = (service: string) =>
    $interpolate`arn:${partition}:${service}:${region}:${account}:*`;
  const ours = { StringEqualsIfExists: { "aws:SourceAccount": account } };
  return [
    {
      // Every log group.
      Sid: "Logs",
      Principal: { Service: $interpolate`logs.${region}.amazonaws.com` },
      Action: [
        "kms:Decrypt",
        "kms:DescribeKey",
        "kms:Encrypt",
        "kms:GenerateDataKey",
        ...reEncrypt,
      ],
      Condition: { ArnLike: { "kms:EncryptionContext:aws:logs:arn": here("logs") } },
    },
    {
      // Logs of state machines: encrypted for Step Functions in its role's name.
      Sid: "LogDelivery",
      Principal: { Service: "delivery.logs.amazonaws.com" },
      Action: ["kms:Decrypt"],
      Condition: {
        ...ours,
        ArnLikeIfExists: { "kms:EncryptionContext:SourceArn": here("logs") },
      },
    },
    {
      // Buses and their archive; dead letters of rules; the alarms' topic.
      Sid: "Events",
      Principal: { Service: "events.amazonaws.com" },
      Action: ["kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKey", ...reEncrypt],
      Condition: {
        ...ours,
        ArnLikeIfExists: {
          "kms:EncryptionContext:aws:events:event-bus:arn": here("events"),
          "kms:EncryptionContext:aws:sqs:arn": here("sqs"),
          "kms:EncryptionContext:aws:sns:topicArn": here("sns"),
        },
      },
    },
    {
      // The alarms' topic.
      Sid: "Alarms",
      Principal: { Service: "cloudwatch.amazonaws.com" },
      Action: ["kms:Decrypt", "kms:GenerateDataKey"],
      Condition: {
        ...ours,
        ArnLikeIfExists: { "kms:EncryptionContext:aws:sns:topicArn": here("sns") },
      },
    },
  ];
}

/** Creates one key for the whole stage. In a key's own policy `*` is the key. */
export function stageKey(
  prefix: string,
  place: Place,
  { retainOnDelete }: { retainOnDelete: boolean },
): aws.kms.Key {
  const { partition, account } = place;
  const args = {
    description: `everything that ${prefix} stores`,
    enableKeyRotation: true,
    policy: $jsonStringify({
      Version: "2012-10-17",
      Statement: [
        {
          // AWS's default key policy: IAM alone decides what the account's principals may do. A list of actions
          // with one missing (an alias, a deletion) would lock out even administrators.
          Sid: "ByIam",
          Effect: "Allow",
          Principal: { AWS: $interpolate`arn:${partition}:iam::${account}:root` },
          Action: "kms:*",
          Resource: "*",
        },
        ...services(place).map((each) => ({ Effect: "Allow", Resource: "*", ...each })),
      ],
    }),
  };
  // The key is retained, because stored data cannot be read without it.
  const key = new aws.kms.Key("Key", args, { retainOnDelete });
  new aws.kms.Alias("KeyAlias", { name: `alias/${prefix}`, targetKeyId: key.keyId });
  return key;
}
