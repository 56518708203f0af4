import { tableInput, timeToLiveInput } from "../../core/store/dynamodb-table.ts";
import type { Stage } from "./stage.ts";

/** The store's table, as its adapter describes it. */
export function storeTable({ prefix, parameters, key }: Stage): aws.dynamodb.Table {
  const input = tableInput(prefix);
  const [hash, range] = input.KeySchema ?? [];
  if (!hash?.AttributeName || !range?.AttributeName) throw new Error("the table has no key");
  return new aws.dynamodb.Table(
    "Table",
    {
      name: prefix,
      billingMode: "PAY_PER_REQUEST",
      hashKey: hash.AttributeName,
      rangeKey: range.AttributeName,
      attributes: (input.AttributeDefinitions ?? []).map(({ AttributeName, AttributeType }) => ({
        name: AttributeName ?? "",
        type: AttributeType ?? "",
      })),
      globalSecondaryIndexes: (input.GlobalSecondaryIndexes ?? []).map((index) => ({
        name: index.IndexName ?? "",
        hashKey: index.KeySchema?.[0]?.AttributeName ?? "",
        rangeKey: index.KeySchema?.[1]?.AttributeName ?? "",
        projectionType: index.Projection?.ProjectionType ?? "",
      })),
      streamEnabled: true,
      streamViewType: input.StreamSpecification?.StreamViewType ?? "",
      ttl: {
        enabled: true,
        attributeName: timeToLiveInput(prefix).TimeToLiveSpecification?.AttributeName ?? "",
      },
      pointInTimeRecovery: { enabled: true },
      deletionProtectionEnabled: parameters.protected,
      ...(key && { serverSideEncryption: { enabled: true, kmsKeyArn: key.arn } }),
    },
    { retainOnDelete: parameters.protected },
  );
}
