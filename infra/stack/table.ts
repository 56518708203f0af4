import { tableInput, timeToLiveInput } from "../../core/kernel/store/dynamodb/table.ts";
import type { Stage } from "./stage.ts";

/** The attributes of the store's table that other parts of the stack need. */
export type StoreTable = Record<"name" | "arn" | "streamArn", $util.Output<string>>;

/**
 * The store's table: the stage's own, or one that was restored from a backup. The stage's own table remains beside
 * a restored one.
 */
export function storeTable(stage: Stage): StoreTable {
  const own = ownTable(stage);
  const { table } = stage.parameters;
  if (table === undefined) return own;
  const { name, arn, streamArn } = aws.dynamodb.getTableOutput({ name: table });
  return { name, arn, streamArn };
}

/** The stage's own table, as the store's adapter describes it. */
function ownTable({ prefix, parameters, key }: Stage): aws.dynamodb.Table {
  const input = tableInput(prefix);
  const [hash, range] = input.KeySchema ?? [];
  const { warmThroughput: warm } = parameters;
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
      ...(warm && {
        warmThroughput: { readUnitsPerSecond: warm.reads, writeUnitsPerSecond: warm.writes },
      }),
      ...(key && { serverSideEncryption: { enabled: true, kmsKeyArn: key.arn } }),
    },
    { retainOnDelete: parameters.protected },
  );
}
