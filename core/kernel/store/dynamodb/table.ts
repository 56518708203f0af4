import type {
  CreateTableCommandInput,
  KeySchemaElement,
  UpdateTimeToLiveCommandInput,
} from "@aws-sdk/client-dynamodb";
import { type Index, indexes } from "../store.ts";

/** The name of an index in DynamoDB, where a name has three characters or more. */
export const indexName = (index: Index): string => `by-${index}`;

/** The input of CreateTable for the store's table. */
export function tableInput(table: string): CreateTableCommandInput {
  const attributes = ["", ...indexes].flatMap((index) => [`${index}pk`, `${index}sk`]);
  return {
    TableName: table,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: keySchema("pk", "sk"),
    AttributeDefinitions: attributes.map((name) => ({ AttributeName: name, AttributeType: "S" })),
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: indexName(index),
      KeySchema: keySchema(`${index}pk`, `${index}sk`),
      // A full copy would be written with each change of the item, but its keys change rarely.
      Projection: { ProjectionType: "KEYS_ONLY" },
    })),
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
  };
}

/** The input of UpdateTimeToLive: DynamoDB drops items some time after `expires`. */
export function timeToLiveInput(table: string): UpdateTimeToLiveCommandInput {
  return {
    TableName: table,
    TimeToLiveSpecification: { Enabled: true, AttributeName: "expires" },
  };
}

function keySchema(pk: string, sk: string): KeySchemaElement[] {
  return [
    { AttributeName: pk, KeyType: "HASH" },
    { AttributeName: sk, KeyType: "RANGE" },
  ];
}
