import type { DynamoDBRecord } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { fromStreamEvent } from "../../../../core/kernel/store/dynamodb/stream.ts";
import {
  indexName,
  tableInput,
  timeToLiveInput,
} from "../../../../core/kernel/store/dynamodb/table.ts";
import { indexes } from "../../../../core/kernel/store/store.ts";
import { streamRecord } from "../../../support/aws-events/stream.ts";

describe("the DynamoDB table", () => {
  it("has every key attribute of the table and its indexes, and no other", () => {
    const table = tableInput("T");
    const schemas = [table, ...(table.GlobalSecondaryIndexes ?? [])].map(({ KeySchema }) =>
      KeySchema?.map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`),
    );
    expect(schemas).toEqual(
      ["", "g1", "g2", "g3", "g4"].map((index) => [`${index}pk HASH`, `${index}sk RANGE`]),
    );
    const defined = table.AttributeDefinitions?.map(({ AttributeName }) => AttributeName);
    expect(defined?.toSorted()).toEqual(
      ["", "g1", "g2", "g3", "g4"].flatMap((index) => [`${index}pk`, `${index}sk`]).sort(),
    );
    expect(table.StreamSpecification?.StreamViewType).toBe("NEW_AND_OLD_IMAGES");
    expect(timeToLiveInput("T").TimeToLiveSpecification?.AttributeName).toBe("expires");
  });
});

describe("the name of an index", () => {
  // What the API's reference allows; emulators and mocks take shorter ones.
  it.each(indexes)("is one that DynamoDB takes: %s", (index) => {
    expect(indexName(index)).toMatch(/^[a-zA-Z0-9_.-]{3,255}$/);
  });

  it("is the table's own", () => {
    const names = tableInput("T").GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName);
    expect(names).toEqual(indexes.map(indexName));
  });
});

describe("a Lambda event of the table's stream", () => {
  const Keys = { pk: { S: "p" }, sk: { S: "s" } };
  const record = (images: object): DynamoDBRecord => ({
    dynamodb: { Keys, SequenceNumber: "4421584500000000017450439091", ...images },
  });

  it("becomes records with the items before and after", () => {
    const [old, fresh] = [
      { ...Keys, n: { N: "1" } },
      { ...Keys, l: { L: [{ BOOL: true }] } },
    ];
    const records = [
      record({ NewImage: old }),
      record({ OldImage: old, NewImage: fresh }),
      record({ OldImage: fresh }),
    ];
    const key = { pk: "p", sk: "s" };
    const sequence = "4421584500000000017450439091";
    expect(fromStreamEvent(records)).toEqual([
      { sequence, key, after: { ...key, n: 1 } },
      { sequence, key, before: { ...key, n: 1 }, after: { ...key, l: [true] } },
      { sequence, key, before: { ...key, l: [true] } },
    ]);
  });

  it("becomes records with items whole that are packed in the table", () => {
    const key = { pk: "p", sk: "s" };
    const item = { ...key, list: ["words that come again; ".repeat(60)] };
    const record = streamRecord({ sequence: "1", key, before: item, after: item });
    const onWire: DynamoDBRecord = JSON.parse(JSON.stringify(record));
    expect(onWire.dynamodb?.NewImage?.packed1?.B).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(fromStreamEvent([onWire])).toEqual([{ sequence: "1", key, before: item, after: item }]);
  });

  it("is refused without a key", () => {
    expect(() => fromStreamEvent([{ dynamodb: { SequenceNumber: "1" } }])).toThrow();
  });
});
