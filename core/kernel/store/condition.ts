import { byteOrder } from "./byte-order.ts";
import { valueAt } from "./path.ts";
import type { Condition, Item, Json } from "./store.ts";

type Comparison = Extract<Condition, { value: unknown }>;

/** Whether a condition holds of an item (undefined: there is none), as DynamoDB would say. */
export function holds(condition: Condition, item: Item | undefined): boolean {
  switch (condition.test) {
    case "exists":
      return item !== undefined;
    case "absent":
      return item === undefined;
    case "has":
      return valueAt(item, condition.path) !== undefined;
    case "lacks":
      return valueAt(item, condition.path) === undefined;
    case "all":
      return condition.of.every((each) => holds(each, item));
    case "any":
      return condition.of.some((each) => holds(each, item));
    default:
      return compares(condition, valueAt(item, condition.path));
  }
}

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
