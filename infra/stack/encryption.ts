import type { Stage } from "./stage.ts";

/** For the account's administrators, as far as IAM lets them; services get what they use. */
const administration = [
  "kms:CancelKeyDeletion",
  "kms:CreateGrant",
  "kms:Decrypt",
  "kms:DescribeKey",
  "kms:DisableKey",
  "kms:EnableKey",
  "kms:EnableKeyRotation",
  "kms:Encrypt",
  "kms:GenerateDataKey",
  "kms:GenerateDataKeyWithoutPlaintext",
  "kms:GetKeyPolicy",
  "kms:GetKeyRotationStatus",
  "kms:ListGrants",
  "kms:ListResourceTags",
  "kms:PutKeyPolicy",
  "kms:ReEncryptFrom",
  "kms:ReEncryptTo",
  "kms:RevokeGrant",
  "kms:ScheduleKeyDeletion",
  "kms:TagResource",
  "kms:UntagResource",
  "kms:UpdateKeyDescription",
];

/** Services that write into what the key encrypts: queues, logs, the alarms' topic, buses. */
const serviceUse = ["kms:Decrypt", "kms:DescribeKey", "kms:Encrypt", "kms:GenerateDataKey"];

/** One key for all of a stage. In a key's own policy `*` is the key. */
export function stageKey(
  prefix: string,
  { partition, account, region }: Pick<Stage, "partition" | "account" | "region">,
  { retainOnDelete }: { retainOnDelete: boolean },
): aws.kms.Key {
  const args = {
    description: `everything that ${prefix} stores`,
    enableKeyRotation: true,
    policy: $jsonStringify({
      Version: "2012-10-17",
      Statement: [
        {
          Sid: "ByIam",
          Effect: "Allow",
          Principal: { AWS: $interpolate`arn:${partition}:iam::${account}:root` },
          Action: administration,
          Resource: "*",
        },
        {
          Sid: "Services",
          Effect: "Allow",
          Principal: {
            Service: [
              $interpolate`logs.${region}.amazonaws.com`,
              "cloudwatch.amazonaws.com",
              "delivery.logs.amazonaws.com",
              "events.amazonaws.com",
              "scheduler.amazonaws.com",
            ],
          },
          Action: serviceUse,
          Resource: "*",
        },
      ],
    }),
  };
  // Without its key nothing that was stored can be read again.
  const key = new aws.kms.Key("Key", args, { retainOnDelete });
  new aws.kms.Alias("KeyAlias", { name: `alias/${prefix}`, targetKeyId: key.keyId });
  return key;
}
