import { isOfPattern } from "../../core/kernel/store/rights.ts";
import type { FunctionName } from "../../infra/functions.ts";
import { grants } from "../../infra/permissions.ts";
import type { FakeAws } from "./fake-aws.ts";

/** Judges calls of DynamoDB by the grants of a function, as IAM does: by action, resource and partition. */

interface Asked {
  action: string;
  resource: string;
  /** Of the table; absent for an index. */
  pk?: string;
}

type Image = Record<string, { S?: string }>;
interface Body {
  Key?: Image;
  Item?: Image;
  IndexName?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Image;
  RequestItems?: Record<string, { Keys: Image[] }>;
  TransactItems?: Record<string, Body>[];
}

/** What a call asks for: of a transaction and of a batch each part. */
export function askedOfStore({ action, body }: FakeAws["calls"][number]): Asked[] {
  if (!action.startsWith("dynamodb:")) return [];
  const { RequestItems, TransactItems, ...single }: Body = body;
  if (RequestItems)
    return Object.values(RequestItems).flatMap(({ Keys }) =>
      Keys.map((Key) => of(action, { Key })),
    );
  if (TransactItems)
    return TransactItems.flatMap((each) =>
      Object.entries(each).map(([sort, part]) => of(`dynamodb:${actions[sort] ?? sort}`, part)),
    );
  return [of(action, single)];
}

const actions: Record<string, string> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
};

function of(action: string, body: Body): Asked {
  if (body.IndexName !== undefined)
    return { action, resource: body.IndexName.replace(/^by-/, "index ") };
  const pk = (body.Key ?? body.Item)?.pk?.S ?? partitionIn(body);
  if (pk === undefined) throw new Error(`${action} names no partition: ${JSON.stringify(body)}`);
  return { action, resource: "table", pk };
}

/** A query's, which compares the first of its keys with its first value. */
const partitionIn = ({ ExpressionAttributeValues = {} }: Body): string | undefined =>
  Object.values(ExpressionAttributeValues)[0]?.S;

export const mayAsk = (name: FunctionName, { action, resource, pk }: Asked): boolean =>
  grants[name].some(
    ({ actions, on, partitions }) =>
      actions.includes(action) &&
      on.some((each) => each === resource) &&
      (partitions === undefined ||
        (pk !== undefined && partitions.some((pattern) => isOfPattern(pk, pattern)))),
  );
