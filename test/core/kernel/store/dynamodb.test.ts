import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { dynamodbStore } from "../../../../core/kernel/store/dynamodb/dynamodb.ts";
import {
  absent,
  all,
  any,
  compare,
  eq,
  exists,
  has,
  lacks,
  type Store,
} from "../../../../core/kernel/store/store.ts";

const aws = mockClient(DynamoDBClient);
afterAll(() => aws.restore());
const key = { pk: "p", sk: "s" };
const Key = { pk: { S: "p" }, sk: { S: "s" } };

let store: Store;
let slept: number[];
beforeEach(() => {
  aws.reset();
  slept = [];
  const client = new DynamoDBClient({ region: "eu-west-1" });
  const sleep = async (ms: number) => void slept.push(ms);
  store = dynamodbStore({ client, table: "T", random: () => 0.5, sleep });
});

const inputs = () => aws.calls().map((call) => call.args[0].input);
const ClientRequestToken = expect.stringMatching(/^[0-9a-f-]{36}$/);
const metadata = (attempts = 1) => ({ $metadata: { attempts } });
const failure = (name: string, $fault: "client" | "server" = "client") =>
  new DynamoDBServiceException({ name, $fault, message: name, ...metadata() });
const cancelled = (...CancellationReasons: { Code: string; Item?: object; Message?: string }[]) =>
  new TransactionCanceledException({
    message: "cancelled",
    CancellationReasons: CancellationReasons as [],
    ...metadata(),
  });
const conditionFailed = (attempts?: number) =>
  new ConditionalCheckFailedException({
    message: "failed",
    Item: { ...Key, owner: { S: "another" } },
    ...metadata(attempts),
  });

describe("what the DynamoDB store sends", () => {
  it("puts one item without a transaction", async () => {
    aws.on(PutItemCommand).resolves({});
    await store.transact([{ put: { ...key, list: [1, "a", null, true, {}] }, if: absent }]);
    expect(inputs()).toEqual([
      {
        TableName: "T",
        Item: {
          ...Key,
          list: { L: [{ N: "1" }, { S: "a" }, { NULL: true }, { BOOL: true }, { M: {} }] },
        },
        ConditionExpression: "attribute_not_exists(#0)",
        ExpressionAttributeNames: { "#0": "pk" },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      },
    ]);
  });

  it("updates one item without a transaction, every name and value by placeholder", async () => {
    aws.on(UpdateItemCommand).resolves({});
    const condition = all(exists, any(lacks("a"), compare("n", "lt", 3)), has("c"), eq("d", "x"));
    await store.transact([
      { update: key, set: { a: 1, status: { x: [] } }, remove: ["c"], if: condition },
    ]);
    expect(inputs()).toEqual([
      {
        TableName: "T",
        Key,
        UpdateExpression: "SET #0 = :0, #1 = :1 REMOVE #2",
        ConditionExpression:
          "(attribute_exists(#3)) AND ((attribute_not_exists(#0)) OR (#4 < :2)) AND " +
          "(attribute_exists(#2)) AND (#5 = :3)",
        ExpressionAttributeNames: {
          ...{ "#0": "a", "#1": "status", "#2": "c", "#3": "pk", "#4": "n", "#5": "d" },
        },
        ExpressionAttributeValues: {
          ":0": { N: "1" },
          ":1": { M: { x: { L: [] } } },
          ":2": { N: "3" },
          ":3": { S: "x" },
        },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      },
    ]);
  });

  it("deletes one item without a transaction", async () => {
    aws.on(DeleteItemCommand).resolves({});
    await store.transact([{ delete: { ...key, more: 1 } as typeof key }]);
    expect(inputs()).toEqual([{ TableName: "T", Key }]);
  });

  it("adds in a transaction, whose token makes a repeated request count once", async () => {
    aws.on(TransactWriteItemsCommand).resolves({});
    await store.transact([{ update: key, add: { n: 1, m: -2 } }]);
    const Update = {
      TableName: "T",
      Key,
      UpdateExpression: "ADD #0 :0, #1 :1",
      ExpressionAttributeNames: { "#0": "n", "#1": "m" },
      ExpressionAttributeValues: { ":0": { N: "1" }, ":1": { N: "-2" } },
    };
    expect(inputs()).toEqual([{ TransactItems: [{ Update }], ClientRequestToken }]);
  });

  it("sends several writes, or a lone check, as one transaction", async () => {
    aws.on(TransactWriteItemsCommand).resolves({});
    const check = { check: key, if: compare("n", "ne", 0) };
    await store.transact([{ put: { pk: "p", sk: "other" } }, check]);
    await store.transact([check]);
    const ConditionCheck = {
      TableName: "T",
      Key,
      ConditionExpression: "#0 <> :0",
      ExpressionAttributeNames: { "#0": "n" },
      ExpressionAttributeValues: { ":0": { N: "0" } },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    };
    const Put = { TableName: "T", Item: { pk: { S: "p" }, sk: { S: "other" } } };
    expect(inputs()).toEqual([
      { TransactItems: [{ Put }, { ConditionCheck }], ClientRequestToken },
      { TransactItems: [{ ConditionCheck }], ClientRequestToken },
    ]);
  });

  it("reads consistently", async () => {
    aws.on(GetItemCommand).resolves({ Item: { ...Key, n: { N: "1.5" } } });
    expect(await store.get(key)).toEqual({ ...key, n: 1.5 });
    expect(inputs()).toEqual([{ TableName: "T", Key, ConsistentRead: true }]);
  });

  it.each([
    [{ prefix: "a" }, "#0 = :0 AND begins_with(#1, :1)", ["a"]],
    [{ from: "a" }, "#0 = :0 AND #1 >= :1", ["a"]],
    [{ to: "b" }, "#0 = :0 AND #1 <= :1", ["b"]],
    [{ from: "a", to: "b" }, "#0 = :0 AND #1 BETWEEN :1 AND :2", ["a", "b"]],
  ])("queries the table consistently in the range %j", async (range, expression, bounds) => {
    aws.on(QueryCommand).resolves({ Items: [] });
    await store.query({ pk: "p", range });
    const values = ["p", ...bounds].map((S, n) => [`:${n}`, { S }]);
    expect(inputs()).toEqual([
      {
        TableName: "T",
        ConsistentRead: true,
        KeyConditionExpression: expression,
        ExpressionAttributeNames: { "#0": "pk", "#1": "sk" },
        ExpressionAttributeValues: Object.fromEntries(values),
      },
    ]);
  });

  it("goes on in an index from the last key", async () => {
    const last = { ...Key, g2pk: { S: "g" }, g2sk: { S: "7" } };
    aws
      .on(QueryCommand)
      .resolvesOnce({ Items: [last], LastEvaluatedKey: last })
      .resolves({});
    aws.on(BatchGetItemCommand).resolves({ Responses: { T: [{ ...last, n: { N: "1" } }] } });
    const query = { pk: "g", index: "g2", limit: 1, reverse: true } as const;
    const { items, cursor } = await store.query(query);
    expect(items).toEqual([{ ...key, g2pk: "g", g2sk: "7", n: 1 }]);
    expect(await store.query({ ...query, cursor: cursor ?? "" })).toEqual({ items: [] });
    const input = {
      TableName: "T",
      IndexName: "by-g2",
      KeyConditionExpression: "#0 = :0",
      ExpressionAttributeNames: { "#0": "g2pk" },
      ExpressionAttributeValues: { ":0": { S: "g" } },
      Limit: 1,
      ScanIndexForward: false,
    };
    const read = { RequestItems: { T: { Keys: [Key], ConsistentRead: true } } };
    expect(inputs()).toEqual([input, read, { ...input, ExclusiveStartKey: last }]);
  });

  it("counts keys, and asks for no item", async () => {
    const last = { ...Key, g2pk: { S: "g" }, g2sk: { S: "7" } };
    aws
      .on(QueryCommand)
      .resolvesOnce({ Count: 400, LastEvaluatedKey: last })
      .resolves({ Count: 100, LastEvaluatedKey: last });
    const counted = await store.count({ pk: "g", index: "g2", limit: 500 });
    expect(counted).toEqual({ count: 500, cursor: expect.any(String) });
    const input = { IndexName: "by-g2", Select: "COUNT" };
    expect(inputs()).toMatchObject([
      { ...input, Limit: 500 },
      { ...input, Limit: 100, ExclusiveStartKey: last },
    ]);
  });

  it("leaves out what is no longer where an index has it, and goes on until something is", async () => {
    const entry = (sk: string, g2sk: string) => ({
      pk: { S: "p" },
      sk: { S: sk },
      g2pk: { S: "g" },
      g2sk: { S: g2sk },
    });
    const [gone, moved, there] = [entry("1", "1"), entry("2", "2"), entry("3", "3")];
    aws
      .on(QueryCommand)
      .resolvesOnce({ Items: [gone, moved], LastEvaluatedKey: moved })
      .resolves({ Items: [there] });
    aws.on(BatchGetItemCommand).callsFake(({ RequestItems }) => ({
      Responses: {
        T: RequestItems.T.Keys.flatMap(({ sk }: typeof Key) =>
          sk.S === "1" ? [] : [sk.S === "2" ? entry("2", "9") : there],
        ),
      },
    }));
    const page = await store.query({ pk: "g", index: "g2" });
    expect(page).toEqual({ items: [{ pk: "p", sk: "3", g2pk: "g", g2sk: "3" }] });
  });

  it("reads no more by an index than one batch of keys holds", async () => {
    aws.on(QueryCommand).resolves({});
    await store.query({ pk: "g", index: "g2", limit: 1000 });
    await store.query({ pk: "g", index: "g2" });
    expect(inputs().map((input) => "Limit" in input && input.Limit)).toEqual([100, 100]);
  });

  it("asks for many items in chunks of 100, each once", async () => {
    aws.on(BatchGetItemCommand).callsFake(({ RequestItems }) => ({
      Responses: { T: RequestItems.T.Keys.toReversed() },
    }));
    const keys = Array.from({ length: 201 }, (_, n) => ({ pk: "p", sk: `${n}` }));
    expect(await store.getMany([...keys, ...keys])).toEqual([...keys, ...keys]);
    const chunks = aws.commandCalls(BatchGetItemCommand).map((call) => call.args[0].input);
    expect(chunks.map(({ RequestItems }) => RequestItems?.T?.Keys?.length)).toEqual([100, 100, 1]);
    expect(chunks.every(({ RequestItems }) => RequestItems?.T?.ConsistentRead)).toBe(true);
  });
});

describe("what the DynamoDB store makes of an answer", () => {
  const update = { update: key, set: { owner: "me" }, if: lacks("owner") };

  it("refuses with the item when the condition of one write fails", async () => {
    aws.on(UpdateItemCommand).rejects(conditionFailed());
    await expect(store.transact([update])).rejects.toMatchObject({
      name: "TransactionRefused",
      reasons: [{ item: { ...key, owner: "another" } }],
    });
  });

  it("cannot tell whose write it was when the SDK had to send it twice", async () => {
    aws.on(UpdateItemCommand).rejects(conditionFailed(2));
    await expect(store.transact([update])).rejects.toMatchObject({ kind: "Unavailable" });
  });

  it("refuses with a reason for each write of a transaction", async () => {
    const Item = { ...Key, n: { N: "1" } };
    aws
      .on(TransactWriteItemsCommand)
      .rejects(
        cancelled(
          { Code: "None" },
          { Code: "ConditionalCheckFailed", Item },
          { Code: "ConditionalCheckFailed" },
          { Code: "ValidationError" },
        ),
      );
    const writes = ["a", "b", "c", "d"].map((sk) => ({ check: { pk: "p", sk }, if: exists }));
    await expect(store.transact(writes)).rejects.toMatchObject({
      name: "TransactionRefused",
      reasons: [undefined, { item: { ...key, n: 1 } }, {}, undefined],
    });
  });

  it("calls a write that DynamoDB finds invalid Internal, and keeps why for the log", async () => {
    const reason = { Code: "ValidationError", Message: "The document path is invalid" };
    aws.on(TransactWriteItemsCommand).rejects(cancelled({ Code: "None" }, reason));
    await expect(store.transact([update, { put: { pk: "p", sk: "x" } }])).rejects.toMatchObject({
      kind: "Internal",
      message: "internal error",
      detail: expect.stringContaining("The document path is invalid"),
    });
    aws.on(UpdateItemCommand).rejects(failure("ValidationException"));
    await expect(store.transact([update])).rejects.toMatchObject({ kind: "Internal" });
  });

  it("calls a cursor that DynamoDB finds invalid Invalid", async () => {
    aws.on(QueryCommand).resolvesOnce({ LastEvaluatedKey: Key });
    const { cursor = "" } = await store.query({ pk: "p" });
    aws.on(QueryCommand).rejects(failure("ValidationException"));
    await expect(store.query({ pk: "p", cursor })).rejects.toMatchObject({
      kind: "Invalid",
      violations: [{ field: "page_token" }],
    });
  });

  it.each([
    ["a fault of the server", failure("InternalServerError", "server")],
    ["no connection", Object.assign(new Error("refused"), { code: "ECONNREFUSED" })],
  ])("is Unavailable at %s", async (_, error) => {
    aws.on(GetItemCommand).rejects(error);
    await expect(store.get(key)).rejects.toMatchObject({ kind: "Unavailable" });
    expect(slept).toEqual([]);
  });
});

describe("when others are in the way, the DynamoDB store", () => {
  const two = [{ put: key }, { put: { pk: "p", sk: "t" } }];

  it.each([
    ["a conflict", cancelled({ Code: "None" }, { Code: "TransactionConflict" })],
    [
      "a conflict beside a refusal",
      cancelled({ Code: "ConditionalCheckFailed" }, { Code: "TransactionConflict" }),
    ],
    ["throttling", cancelled({ Code: "ThrottlingError" }, { Code: "None" })],
    ["a throttled request", failure("ThrottlingException")],
    ["spent throughput", failure("ProvisionedThroughputExceededException")],
  ])("tries again after %s", async (_, error) => {
    aws.on(TransactWriteItemsCommand).rejectsOnce(error).rejectsOnce(error).resolves({});
    await store.transact(two);
    expect(aws.calls()).toHaveLength(3);
    expect(slept).toEqual([12.5, 25]);
  });

  it.each([
    ["keeps its token while it is in progress", failure("TransactionInProgressException"), 1],
    ["takes a new token after a conflict", cancelled({ Code: "TransactionConflict" }), 2],
  ])("%s", async (_, error, tokens) => {
    aws.on(TransactWriteItemsCommand).rejectsOnce(error).resolves({});
    await store.transact(two);
    const sent = inputs().map((input) => "ClientRequestToken" in input && input.ClientRequestToken);
    expect(sent).toHaveLength(2);
    expect(new Set(sent).size).toBe(tokens);
  });

  it("tries one write again", async () => {
    aws.on(PutItemCommand).rejectsOnce(failure("TransactionConflictException")).resolves({});
    await store.transact([{ put: key }]);
    expect(aws.calls()).toHaveLength(2);
  });

  it("gives up as Unavailable after waiting longer and longer", async () => {
    aws.on(TransactWriteItemsCommand).rejects(cancelled({ Code: "TransactionConflict" }));
    await expect(store.transact(two)).rejects.toMatchObject({ kind: "Unavailable" });
    expect(aws.calls()).toHaveLength(8);
    expect(slept).toEqual([12.5, 25, 50, 100, 200, 400, 500]);
  });

  it("sends nothing any more once its time is over", async () => {
    const over = new AbortController();
    const asked: number[] = [];
    const client = new DynamoDBClient({ region: "eu-west-1" });
    const timeout = (ms: number) => {
      asked.push(ms);
      return over.signal;
    };
    const sleep = async (ms: number) => {
      slept.push(ms);
      if (slept.length === 2) over.abort();
    };
    store = dynamodbStore({ client, table: "T", random: () => 0.5, sleep, timeout });
    aws.on(TransactWriteItemsCommand).rejects(cancelled({ Code: "TransactionConflict" }));
    await expect(store.transact(two, { within: 700 })).rejects.toMatchObject({
      kind: "Unavailable",
    });
    expect(asked).toEqual([700]);
    expect(aws.calls()).toHaveLength(2);
    // The SDK ends by the same signal what is under way, and does not repeat it.
    for (const { args } of aws.calls())
      expect([...args]).toEqual([expect.anything(), { abortSignal: over.signal }]);
  });

  it("gives up with the refusals that it knows", async () => {
    const reasons = [{ Code: "ConditionalCheckFailed" }, { Code: "TransactionConflict" }];
    aws.on(TransactWriteItemsCommand).rejects(cancelled(...reasons));
    await expect(store.transact(two)).rejects.toMatchObject({ reasons: [{}, undefined] });
  });

  it("asks again for keys that a batch left out, as long as it gets on", async () => {
    const keys = Array.from({ length: 30 }, (_, n) => ({ pk: "p", sk: `${n}` }));
    aws.on(BatchGetItemCommand).callsFake(({ RequestItems: { T } }) => ({
      Responses: { T: T.Keys.slice(0, 1) },
      UnprocessedKeys: { T: { Keys: T.Keys.slice(1) } },
    }));
    expect(await store.getMany(keys)).toEqual(keys);
    expect(slept).toEqual([]);
  });

  it("gives up on a batch that leaves out all", async () => {
    aws
      .on(BatchGetItemCommand)
      .callsFake(({ RequestItems }) => ({ UnprocessedKeys: RequestItems }));
    await expect(store.getMany([key])).rejects.toMatchObject({ kind: "Unavailable" });
    expect(slept).toHaveLength(7);
  });
});
