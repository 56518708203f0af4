import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  type KeysAndAttributes,
  PutItemCommand,
  QueryCommand,
  type QueryCommandOutput,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { AppError, isKind } from "../../../error.ts";
import { checkKey, checkQuery, checkWrites, isEmptyRange, isStillAt, keyId } from "../check.ts";
import { decodeCursor, encodeCursor, invalidCursor, type Position, positionOf } from "../cursor.ts";
import { limitedToPage } from "../page.ts";
import type {
  Counted,
  Index,
  Item,
  Key,
  Page,
  Query,
  Store,
  TransactOptions,
  Write,
} from "../store.ts";
import { fromImage, toImage, toKey } from "./attribute-value.ts";
import { dynamodbError, isInProgress } from "./error.ts";
import { keyExpression, Placeholders } from "./expression.ts";
import { fromItemImage } from "./item-image.ts";
import { type Backoff, retriedCall, retryPause, tries } from "./retry.ts";
import { indexName } from "./table.ts";
import { transactItem } from "./write.ts";

interface DynamodbOptions extends Partial<Backoff> {
  client: DynamoDBClient;
  table: string;
}

/** The most keys of one BatchGetItem. */
const batchLimit = 100;

/**
 * The store in a DynamoDB table, as `tableInput` describes it. Written by hand: mappers such as dynamodb-toolbox own
 * schemas and keys, which both adapters share here, and they write through the SDK's document client.
 */
export function dynamodbStore({ client, table, ...backoff }: DynamodbOptions): Store {
  return new DynamodbStore(client, table, {
    random: Math.random,
    sleep: (ms) => setTimeout(ms),
    timeout: (ms) => AbortSignal.timeout(ms),
    ...backoff,
  });
}

/** The reasons to end a request early. */
interface Limit {
  abortSignal?: AbortSignal;
}

class DynamodbStore implements Store {
  readonly #client: DynamoDBClient;
  readonly #table: string;
  readonly #backoff: Backoff;

  constructor(client: DynamoDBClient, table: string, backoff: Backoff) {
    this.#client = client;
    this.#table = table;
    this.#backoff = backoff;
  }

  async get(key: Key): Promise<Item | undefined> {
    checkKey(key);
    const Key = toKey(key);
    const command = new GetItemCommand({ TableName: this.#table, Key, ConsistentRead: true });
    const { Item } = await this.#ask(() => this.#client.send(command));
    return Item && fromItemImage(Item);
  }

  async getMany(keys: Key[]): Promise<(Item | undefined)[]> {
    keys.forEach(checkKey);
    const distinct = [...new Map(keys.map((key) => [keyId(key), key])).values()];
    const chunks: Key[][] = [];
    for (let n = 0; n < distinct.length; n += batchLimit) {
      chunks.push(distinct.slice(n, n + batchLimit));
    }
    const found = await Promise.all(chunks.map((chunk) => this.#getChunk(chunk)));
    const items = new Map(found.flat().map((item) => [keyId(item), item]));
    return keys.map((key) => {
      const item = items.get(keyId(key));
      return item && structuredClone(item);
    });
  }

  async transact(writes: Write[], { within }: TransactOptions = {}): Promise<void> {
    checkWrites(writes);
    const [first] = writes;
    if (!first) return;
    const limit = within === undefined ? {} : { abortSignal: this.#backoff.timeout(within) };
    if (writes.length === 1 && isRepeatable(first)) return this.#single(first, limit);
    const TransactItems = writes.map((write) => transactItem(write, this.#table));
    let ClientRequestToken = randomUUID();
    await this.#ask(async () => {
      try {
        const input = { TransactItems, ClientRequestToken };
        await this.#client.send(new TransactWriteItemsCommand(input), limit);
      } catch (error) {
        // A transaction in progress is sent again under its own token: then it counts once, and is not refused because
        // of itself. A refused transaction gets a new token, because its own would be refused again.
        if (!isInProgress(error)) ClientRequestToken = randomUUID();
        throw error;
      }
    }, limit);
  }

  async query(query: Query): Promise<Page> {
    checkQuery(query);
    if (isEmptyRange(query)) return { items: [] };
    const { index } = query;
    if (index === undefined || query.only) return this.#queryPage(limitedToPage(query));
    for (let next = limitedToPage(query); ; ) {
      const { items: entries, cursor } = await this.#queryPage(next);
      const items = await this.getMany(entries.map(({ pk, sk }) => ({ pk, sk })));
      const found = items.filter((item, n) => isStillAt(item, entries[n], index));
      if (found.length > 0 || cursor === undefined)
        return { items: found, ...(cursor && { cursor }) };
      next = { ...next, cursor };
    }
  }

  async count(query: Query): Promise<Counted> {
    checkQuery(query);
    if (isEmptyRange(query)) return { count: 0 };
    const { limit } = query;
    let { cursor } = query;
    let count = 0;
    // One answer counts at most 1 MB of items.
    do {
      const left = limit === undefined ? {} : { limit: limit - count };
      const from = cursor === undefined ? {} : { cursor };
      const answer = await this.#answerTo({ ...query, ...left, ...from }, "COUNT");
      count += answer.Count ?? 0;
      cursor = cursorIn(answer, query.index);
    } while (cursor !== undefined && count !== limit);
    return { count, ...(cursor && { cursor }) };
  }

  /** A page of the table, or of the keys in an index. */
  async #queryPage(query: Query): Promise<Page> {
    const answer = await this.#answerTo(query);
    const cursor = cursorIn(answer, query.index);
    return {
      items: (answer.Items ?? []).map(fromItemImage),
      ...(cursor && { cursor }),
    };
  }

  async #answerTo(query: Query, select?: "COUNT"): Promise<QueryCommandOutput> {
    const { cursor, index, limit, only, reverse } = query;
    const start = cursor === undefined ? undefined : decodeCursor(cursor, query);
    const to = new Placeholders();
    const command = new QueryCommand({
      TableName: this.#table,
      ...(index ? { IndexName: indexName(index) } : { ConsistentRead: true }),
      KeyConditionExpression: keyExpression(query, to),
      ...to.attributes,
      ...(limit !== undefined && { Limit: limit }),
      ...(reverse && { ScanIndexForward: false }),
      ...(select && { Select: select }),
      // An index has only keys anyway.
      ...(only === "keys" && !index && !select && { ProjectionExpression: "pk, sk" }),
      ...(start && { ExclusiveStartKey: startKey(start, index) }),
    });
    return this.#askQuery(command, start !== undefined);
  }

  async #askQuery(command: QueryCommand, continued: boolean): Promise<QueryCommandOutput> {
    try {
      return await this.#ask(() => this.#client.send(command));
    } catch (error) {
      // The first page had no such error, so the cursor of the client is at fault.
      throw continued && isKind(error, "Internal") ? invalidCursor(error) : error;
    }
  }

  async #getChunk(chunk: Key[]): Promise<Item[]> {
    const items: Item[] = [];
    let left: NonNullable<KeysAndAttributes["Keys"]> = chunk.map(toKey);
    for (let tried = 1; ; tried += 1) {
      const RequestItems = { [this.#table]: { Keys: left, ConsistentRead: true } };
      const command = new BatchGetItemCommand({ RequestItems });
      const answer: BatchGetItemCommandOutput = await this.#ask(() => this.#client.send(command));
      const got = answer.Responses?.[this.#table] ?? [];
      items.push(...got.map(fromItemImage));
      const asked = left.length;
      left = answer.UnprocessedKeys?.[this.#table]?.Keys ?? [];
      if (left.length === 0) return items;
      // An answer has at most 16 MB, so missing keys are normal; an answer without any key counts as a failed try.
      if (left.length < asked) tried = 0;
      else if (tried === tries) throw new AppError("Unavailable", "the store is busy");
      else await retryPause(tried, this.#backoff);
    }
  }

  async #single(write: Exclude<Write, { check: Key }>, limit: Limit): Promise<void> {
    await this.#ask(async () => {
      const item = transactItem(write, this.#table);
      if (item.Put) await this.#client.send(new PutItemCommand(item.Put), limit);
      if (item.Update) await this.#client.send(new UpdateItemCommand(item.Update), limit);
      if (item.Delete) await this.#client.send(new DeleteItemCommand(item.Delete), limit);
    }, limit);
  }

  async #ask<T>(work: () => Promise<T>, { abortSignal }: Limit = {}): Promise<T> {
    try {
      return await retriedCall(() => {
        abortSignal?.throwIfAborted();
        return work();
      }, this.#backoff);
    } catch (error) {
      throw dynamodbError(error);
    }
  }
}

/**
 * Whether a write may be sent without a transaction, at half the price. The SDK repeats a request whose answer was
 * lost, and only a transaction has a token that makes an `add` count once.
 */
function isRepeatable(write: Write): write is Exclude<Write, { check: Key }> {
  return !("check" in write) && !("add" in write && Object.keys(write.add ?? {}).length > 0);
}

const cursorIn = (
  { LastEvaluatedKey }: QueryCommandOutput,
  index: Index | undefined,
): string | undefined =>
  LastEvaluatedKey && encodeCursor(positionOf(fromImage<Item>(LastEvaluatedKey), index));

function startKey({ table, index: key }: Position, index: Index | undefined) {
  const inIndex = index && key && { [`${index}pk`]: key.pk, [`${index}sk`]: key.sk };
  return toImage({ ...table, ...inIndex });
}
