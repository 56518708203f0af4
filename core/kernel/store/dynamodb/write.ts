import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { Write, WriteCondition } from "../store.ts";
import { toKey } from "./attribute-value.ts";
import { conditionExpression, Placeholders, updateExpression } from "./expression.ts";
import { toItemImage } from "./item-image.ts";

/**
 * A write as an entry of TransactWriteItems; the value under `Put`, `Update` or `Delete` is also the
 * input of that command alone. A refusal carries the stored item.
 */
export function transactItem(write: Write, table: string): TransactWriteItem {
  const to = new Placeholders();
  const rest = () => ({ TableName: table, ...guard(write.if, to), ...to.attributes });
  if ("put" in write) return { Put: { Item: toItemImage(write.put), ...rest() } };
  if ("update" in write) {
    const UpdateExpression = updateExpression(write, to);
    return { Update: { Key: toKey(write.update), UpdateExpression, ...rest() } };
  }
  if ("delete" in write) return { Delete: { Key: toKey(write.delete), ...rest() } };
  const check = { TableName: table, ...guardBy(write.if, to), ...to.attributes };
  return { ConditionCheck: { Key: toKey(write.check), ...check } };
}

function guard(condition: WriteCondition | undefined, to: Placeholders) {
  return condition && guardBy(condition, to);
}

function guardBy(condition: WriteCondition, to: Placeholders) {
  return {
    ConditionExpression: conditionExpression(condition, to),
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  } as const;
}
