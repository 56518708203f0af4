import { fromImage, type Image } from "../../core/kernel/store/dynamodb/attribute-value.ts";
import type { Attributes } from "./dynamodb-expressions.ts";

/** A request's body, as far as the store sends it. */
export interface Request {
  ClientRequestToken?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Image;
  Key?: Image;
  Item?: Image;
  ConditionExpression?: string;
  UpdateExpression?: string;
  KeyConditionExpression?: string;
  ReturnValuesOnConditionCheckFailure?: string;
  IndexName?: string;
  Limit?: number;
  ScanIndexForward?: boolean;
  ProjectionExpression?: string;
  Select?: string;
  ConsistentRead?: boolean;
  ExclusiveStartKey?: Image;
  RequestItems?: Record<string, { Keys: Image[]; ConsistentRead?: boolean }>;
  TransactItems?: Entries;
}

export type Entries = Record<"Put" | "Update" | "Delete" | "ConditionCheck", Request | undefined>[];

/** The writes of a transaction. */
export const writesOf = (entries: Entries) =>
  entries.flatMap((entry) =>
    Object.entries(entry).flatMap(([kind, write]) => (write ? [{ kind, write }] : [])),
  );

const idsOf = (entries: Entries): string[] =>
  writesOf(entries).map(({ write }) => id(write.Key ?? write.Item));

/** Whether two transactions touch the same item. */
export const sharesItems = (some: Entries, others: Entries): boolean =>
  idsOf(others).some((each) => idsOf(some).includes(each));

/** The key of an item, as one text. */
export function id(image: Image | undefined): string {
  const { pk, sk } = fromImage<Attributes>(image ?? {});
  return JSON.stringify([pk, sk]);
}
