import { byteOrder } from "./byte-order.ts";
import type { Item, Json, WriteCondition } from "./store.ts";

type Comparison = Extract<WriteCondition, { value: unknown }>;

/** Whether a condition holds of an item (undefined: there is none), as DynamoDB would say. */
export function holds(condition: WriteCondition, item: Item | undefined): boolean {
  switch (condition.test) {
    case "exists":
      return item !== undefined;
    case "absent":
      return item === undefined;
    case "has":
      return attributeOf(item, condition.attribute) !== undefined;
    case "lacks":
      return attributeOf(item, condition.attribute) === undefined;
    case "all":
      return condition.of.every((each) => holds(each, item));
    case "any":
      return condition.of.some((each) => holds(each, item));
    default:
      return compares(condition, attributeOf(item, condition.attribute));
  }
}

/** The value of an attribute, even if its name is one such as `constructor`. */
const attributeOf = (item: Item | undefined, attribute: string): Json | undefined =>
  item && Object.hasOwn(item, attribute) ? item[attribute] : undefined;

/** A missing value, or one of another type, is unequal to `value` and neither above nor below it. */
function compares({ test, value }: Comparison, stored: Json | undefined): boolean {
  if (test === "eq") return stored === value;
  if (test === "ne") return stored !== value;
  const order = orderOf(stored, value);
  if (order === undefined) return false;
  switch (test) {
    case "lt":
      return order < 0;
    case "le":
      return order <= 0;
    case "gt":
      return order > 0;
    case "ge":
      return order >= 0;
  }
}

function orderOf(stored: Json | undefined, value: string | number | boolean): number | undefined {
  if (typeof stored === "string" && typeof value === "string") return byteOrder(stored, value);
  if (typeof stored === "number" && typeof value === "number") return stored - value;
  return undefined;
}
