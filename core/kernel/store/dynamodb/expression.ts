/**
 * Conditions, updates and key ranges as DynamoDB expressions. Every name and value goes through a
 * placeholder: names may be reserved words, and values come from outside.
 */

import type { Json, Query, Update, WriteCondition } from "../store.ts";
import { toImage } from "./attribute-value.ts";

const operators = { eq: "=", ne: "<>", lt: "<", le: "<=", gt: ">", ge: ">=" } as const;

/** The placeholders of one request, shared by its expressions. */
export class Placeholders {
  readonly #names = new Map<string, string>();
  readonly #values: Json[] = [];

  name(name: string): string {
    const placeholder = this.#names.get(name) ?? `#${this.#names.size}`;
    this.#names.set(name, placeholder);
    return placeholder;
  }

  value(value: Json): string {
    return `:${this.#values.push(value) - 1}`;
  }

  /** The members of a request that define the placeholders; DynamoDB refuses empty ones. */
  get attributes(): {
    ExpressionAttributeNames?: Record<string, string>;
    ExpressionAttributeValues?: ReturnType<typeof toImage>;
  } {
    const names = [...this.#names].map(([name, placeholder]) => [placeholder, name]);
    const values = this.#values.map((value, n) => [`:${n}`, value] as const);
    return {
      ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names) }),
      ...(values.length > 0 && { ExpressionAttributeValues: toImage(Object.fromEntries(values)) }),
    };
  }
}

export function conditionExpression(condition: WriteCondition, to: Placeholders): string {
  switch (condition.test) {
    case "exists":
      return `attribute_exists(${to.name("pk")})`;
    case "absent":
      return `attribute_not_exists(${to.name("pk")})`;
    case "has":
      return `attribute_exists(${to.name(condition.attribute)})`;
    case "lacks":
      return `attribute_not_exists(${to.name(condition.attribute)})`;
    case "all":
      return condition.of.map((each) => `(${conditionExpression(each, to)})`).join(" AND ");
    case "any":
      return condition.of.map((each) => `(${conditionExpression(each, to)})`).join(" OR ");
    default: {
      const operator = operators[condition.test];
      return `${to.name(condition.attribute)} ${operator} ${to.value(condition.value)}`;
    }
  }
}

export function updateExpression(update: Update, to: Placeholders): string {
  const { set = {}, remove = [], add = {} } = update;
  const clause = (keyword: string, actions: string[]) =>
    actions.length > 0 ? [`${keyword} ${actions.join(", ")}`] : [];
  return [
    ...clause(
      "SET",
      Object.entries(set).map(([name, value]) => `${to.name(name)} = ${to.value(value)}`),
    ),
    ...clause(
      "REMOVE",
      remove.map((name) => to.name(name)),
    ),
    ...clause(
      "ADD",
      Object.entries(add).map(([name, amount]) => `${to.name(name)} ${to.value(amount)}`),
    ),
  ].join(" ");
}

/** The partition and range of a query; empty bounds are left out, because DynamoDB refuses them. */
export function keyExpression({ pk, index, range = {} }: Query, to: Placeholders): string {
  const partition = `${to.name(`${index ?? ""}pk`)} = ${to.value(pk)}`;
  const bound = (say: (sk: string) => string) =>
    `${partition} AND ${say(to.name(`${index ?? ""}sk`))}`;
  if ("prefix" in range) {
    if (!range.prefix) return partition;
    return bound((sk) => `begins_with(${sk}, ${to.value(range.prefix)})`);
  }
  const { from, to: last } = range;
  if (from && last) return bound((sk) => `${sk} BETWEEN ${to.value(from)} AND ${to.value(last)}`);
  if (from) return bound((sk) => `${sk} >= ${to.value(from)}`);
  if (last) return bound((sk) => `${sk} <= ${to.value(last)}`);
  return partition;
}
