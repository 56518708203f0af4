import { Readable } from "node:stream";
import { type CreateTableCommandInput, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  fromImage,
  type Image,
  toImage,
} from "../../core/kernel/store/dynamodb/attribute-value.ts";
import { tableInput } from "../../core/kernel/store/dynamodb/table.ts";
import { type Attributes, Expressions, Invalid } from "./dynamodb-expressions.ts";
import { type Entries, id, type Request, sharesItems, writesOf } from "./dynamodb-request.ts";

class Refused extends Error {
  readonly body: object;
  constructor(name: string, body: object = {}) {
    super(name);
    this.name = name;
    this.body = body;
  }
}

/** The connection was lost before the answer came. */
class Lost extends Error {}

/** The key attributes of each index of the store's table, which DynamoDB would make. */
function indexesOf({ GlobalSecondaryIndexes = [] }: CreateTableCommandInput) {
  return new Map(
    GlobalSecondaryIndexes.map(({ IndexName = "", KeySchema = [] }) => [
      named(IndexName),
      KeySchema.map(({ AttributeName = "" }) => AttributeName),
    ]),
  );
}

/** The rule for names of tables and indexes. */
function named(name: string): string {
  if (name.length < 3 || name.length > 255)
    throw new Invalid(`names must be between 3 and 255 characters long: '${name}'`);
  if (!/^[a-zA-Z0-9_.-]+$/.test(name))
    throw new Invalid(`names must be of letters, digits, '_', '.' and '-': '${name}'`);
  return name;
}

const megabyte = 1024 * 1024;

/**
 * A DynamoDB of one table in memory, behind the real client: requests and answers pass through the
 * SDK's own serialization. It knows what the store sends, follows DynamoDB's rules for that, and
 * leaves keys of a batch unprocessed and cancels for conflicts now and then, as DynamoDB may.
 */
export class DynamodbFake {
  readonly #items = new Map<string, Attributes>();
  readonly #indexes = indexesOf(tableInput("slipway"));
  readonly #tokens = new Set<string>();
  #requests = 0;
  #slow: { token: string; entries: Entries; left: number } | undefined;

  /** The next transaction takes so long that this many requests come before it is done; its answer is lost. */
  slowTransaction = 0;

  /** Does what the next request asks, but loses this many answers to it. */
  lostAnswers = 0;

  readonly client: DynamoDBClient = new DynamoDBClient({
    region: "fake",
    credentials: { accessKeyId: "fake", secretAccessKey: "fake" },
    requestHandler: {
      handle: async ({ headers, body }: { headers: Record<string, string>; body: Uint8Array }) => {
        // The answer comes later, so that requests overlap as on a network.
        await new Promise((resolve) => setImmediate(resolve));
        const request = JSON.parse(new TextDecoder().decode(body));
        const answer = this.respond(headers["x-amz-target"] ?? "", request);
        if (this.lostAnswers === 0) return { response: response(answer.statusCode, answer.body) };
        this.lostAnswers -= 1;
        return { response: response(500, { __type: "InternalServerError" }) };
      },
    },
  });

  /** What it answers to a request's `X-Amz-Target` and body. */
  respond(target: string, request: Request): { statusCode: number; body: object } {
    try {
      return { statusCode: 200, body: onWire(this.#answer(target.split(".")[1] ?? "", request)) };
    } catch (error) {
      if (error instanceof Lost)
        return { statusCode: 500, body: { __type: "InternalServerError" } };
      if (!(error instanceof Refused || error instanceof Invalid)) throw error;
      const name = error instanceof Refused ? error.name : "ValidationException";
      const body = error instanceof Refused ? error.body : {};
      const __type = `com.amazonaws.dynamodb.v20120810#${name}`;
      return { statusCode: 400, body: onWire({ __type, message: error.message, ...body }) };
    }
  }

  #answer(operation: string, request: Request): object {
    this.#requests += 1;
    this.#goOn();
    const conflict = this.#requests % 7 === 0;
    switch (operation) {
      case "GetItem": {
        const item = this.#items.get(id(request.Key));
        return item ? { Item: toImage(item) } : {};
      }
      case "BatchGetItem":
        return this.#batchGet(request);
      case "Query":
        return this.#query(request);
      case "PutItem":
      case "UpdateItem":
      case "DeleteItem": {
        if (conflict) throw new Refused("TransactionConflictException");
        const check = this.#refusal(request);
        if (check) throw new Refused("ConditionalCheckFailedException", check);
        this.#store(request, this.#after(operation, request));
        return {};
      }
      case "TransactWriteItems":
        return this.#once(request, conflict);
      default:
        throw new Refused("UnknownOperationException");
    }
  }

  /**
   * A transaction that succeeded does so again under its token, without doing anything. One that is
   * still at it is in progress under its own token, and in the way of others.
   */
  #once(request: Request, conflict: boolean): object {
    const { ClientRequestToken: token, TransactItems: entries = [] } = request;
    if (!token) throw new Invalid("the SDK always sends a token");
    if (this.#tokens.has(token)) return {};
    if (this.#slow?.token === token) throw new Refused("TransactionInProgressException");
    if (this.slowTransaction > 0) {
      this.#slow = { token, entries, left: this.slowTransaction };
      this.slowTransaction = 0;
      throw new Lost();
    }
    const isInTheWay = this.#slow && sharesItems(this.#slow.entries, entries);
    const answer = this.#transact(entries, conflict || isInTheWay === true);
    this.#tokens.add(token);
    return answer;
  }

  /** The slow transaction comes to its end, whoever asks meanwhile. */
  #goOn(): void {
    const slow = this.#slow;
    if (!slow || --slow.left > 0) return;
    this.#slow = undefined;
    this.#transact(slow.entries, false);
    this.#tokens.add(slow.token);
  }

  #transact(entries: Entries, conflict: boolean): object {
    const writes = writesOf(entries);
    if (writes.length === 0 || writes.length > 100) throw new Invalid("1 to 100 items");
    const keys = new Set(writes.map(({ write }) => id(write.Key ?? write.Item)));
    if (keys.size < writes.length) throw new Invalid("multiple operations on one item");
    const after: (Attributes | undefined)[] = [];
    const reasons = writes.map(({ kind, write }, n) => {
      if (conflict && n === 0) return { Code: "TransactionConflict" };
      const check = this.#refusal(write);
      if (check) return { Code: "ConditionalCheckFailed", ...check };
      try {
        after[n] = this.#after(kind, write);
      } catch (error) {
        if (error instanceof Invalid) return { Code: "ValidationError", Message: error.message };
        throw error;
      }
      return { Code: "None" };
    });
    if (reasons.some(({ Code }) => Code !== "None")) {
      throw new Refused("TransactionCanceledException", { CancellationReasons: reasons });
    }
    for (const [n, { kind, write }] of writes.entries()) {
      if (kind !== "ConditionCheck") this.#store(write, after[n]);
    }
    return {};
  }

  #refusal(write: Request): { Item?: Image } | undefined {
    const returnOld = write.ReturnValuesOnConditionCheckFailure === "ALL_OLD";
    if (write.ConditionExpression === undefined) return undefined;
    const item = this.#items.get(id(write.Key ?? write.Item));
    if (expressions(write).holds(write.ConditionExpression, item ?? {})) return undefined;
    return item && returnOld ? { Item: toImage(item) } : {};
  }

  /** The item after a write; undefined when there is none. */
  #after(kind: string, write: Request): Attributes | undefined {
    const parsed = expressions(write);
    if (write.ConditionExpression !== undefined) parsed.holds(write.ConditionExpression, {});
    let item: Attributes | undefined;
    if (write.Item) item = fromImage<Attributes>(write.Item);
    if (kind.startsWith("Update")) {
      const before = this.#items.get(id(write.Key)) ?? fromImage<Attributes>(write.Key ?? {});
      item = parsed.update(write.UpdateExpression ?? "", before);
    }
    parsed.expectAllUsed();
    if (item && sizeOf(item) > 400 * 1024) {
      throw new Invalid("Item size has exceeded the maximum allowed size");
    }
    return item;
  }

  #store(write: Request, item: Attributes | undefined): void {
    if (item) this.#items.set(id(write.Key ?? write.Item), item);
    else this.#items.delete(id(write.Key));
  }

  #batchGet({ RequestItems = {} }: Request): object {
    const [[table, { Keys }] = ["", { Keys: [] }]] = Object.entries(RequestItems);
    if (Keys.length === 0 || Keys.length > 100) throw new Invalid("1 to 100 keys");
    if (new Set(Keys.map(id)).size < Keys.length) throw new Invalid("duplicate keys");
    const processed = this.#requests % 5 === 0 ? 0 : 40;
    const found = Keys.slice(0, processed)
      .map((key) => this.#items.get(id(key)))
      .filter((item) => item !== undefined);
    const left = Keys.slice(processed);
    return {
      // In another order than asked, as DynamoDB may.
      Responses: { [table]: found.reverse().map((item) => toImage(item)) },
      UnprocessedKeys: left.length > 0 ? { [table]: { Keys: left, ConsistentRead: true } } : {},
    };
  }

  #keysOf(index: string): string[] {
    const keys = this.#indexes.get(named(index));
    if (!keys) throw new Invalid(`The table does not have the specified index: ${index}`);
    return keys;
  }

  #query(query: Request): object {
    const { IndexName: index, KeyConditionExpression = "", Limit = Infinity } = query;
    if (index && query.ConsistentRead) throw new Invalid("no consistent reads on an index");
    const [pk = "", sk = ""] = index === undefined ? ["pk", "sk"] : this.#keysOf(index);
    const parsed = expressions(query);
    const place = (item: Attributes) => [item[sk], item.pk, item.sk].map(String).join("\0");
    const direction = query.ScanIndexForward === false ? -1 : 1;
    const order = (a: Attributes, b: Attributes) =>
      direction * Buffer.compare(Buffer.from(place(a)), Buffer.from(place(b)));
    const inRange = (item: Attributes) => parsed.holds(KeyConditionExpression, item);
    const start = query.ExclusiveStartKey && fromImage<Attributes>(query.ExclusiveStartKey);
    if (start && !inRange(start)) throw new Invalid("The provided starting key is invalid");
    const rows = [...this.#items.values()]
      .filter((item) => typeof item[pk] === "string" && typeof item[sk] === "string")
      .filter((item) => inRange(item) && (!start || order(item, start) > 0))
      .sort(order);
    // Also when there is nothing to hold it against, the expression must be well formed.
    inRange({});
    parsed.expectAllUsed();

    let size = 0;
    const page = rows.slice(0, Limit).filter((item, n) => {
      size += sizeOf(item);
      return n === 0 || size <= megabyte;
    });
    const last = page.at(-1);
    const more = last !== undefined && (page.length < rows.length || page.length === Limit);
    const keys = new Set(["pk", "sk", pk, sk]);
    const LastEvaluatedKey =
      more && toImage(Object.fromEntries(Object.entries(last).filter(([name]) => keys.has(name))));
    const { ProjectionExpression: wanted } = query;
    if (wanted !== undefined && wanted !== "pk, sk") throw new Invalid("not known to the fake");
    // An index holds keys alone.
    const shown = (item: Attributes) =>
      index || wanted
        ? Object.fromEntries(Object.entries(item).filter(([name]) => keys.has(name)))
        : item;
    return {
      ...(query.Select !== "COUNT" && { Items: page.map((item) => toImage(shown(item))) }),
      Count: page.length,
      ...(LastEvaluatedKey && { LastEvaluatedKey }),
    };
  }
}

function expressions({
  ExpressionAttributeNames,
  ExpressionAttributeValues,
}: Request): Expressions {
  for (const terms of [ExpressionAttributeNames, ExpressionAttributeValues]) {
    if (terms && Object.keys(terms).length === 0)
      throw new Invalid("placeholders must not be empty");
  }
  return new Expressions({
    ...(ExpressionAttributeNames && { ExpressionAttributeNames }),
    values: fromImage<Attributes>(ExpressionAttributeValues ?? {}),
  });
}

/** An answer as it is sent, with bytes as base64. */
const onWire = (body: object): object =>
  JSON.parse(
    JSON.stringify(body, function (this: Record<string, unknown>, name, value) {
      const bytes = this[name];
      return bytes instanceof Uint8Array ? Buffer.from(bytes).toString("base64") : value;
    }),
  );

/** About as DynamoDB counts it. */
const sizeOf = (item: Attributes): number =>
  Object.entries(item).reduce(
    (sum, [name, value]) =>
      sum +
      name.length +
      (value instanceof Uint8Array ? value.byteLength : JSON.stringify(value).length),
    0,
  );

function response(statusCode: number, body: object) {
  const headers = { "content-type": "application/x-amz-json-1.0" };
  return { statusCode, headers, body: Readable.from([Buffer.from(JSON.stringify(body))]) };
}
