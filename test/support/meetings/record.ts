import type { OperationId } from "../../../core/id.ts";
import { load, mustLoad } from "../../../core/kernel/object/records.ts";
import type { Laptop } from "../laptop.ts";

/** What stays the same of a record when the attempts that made it come at other times. */

/** Members that say when, or count the writes. */
const passing =
  /(_times?|timestamp|_at|since)$|^(at|time|began|requested|asked|seeded|bootSet|revision|event|resource_version|uid)$/;
const anId = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** A node pool that is known to be gone, and one that nobody knows of: news of the end can be late. */
const isGone = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "gone" in value && value.gone === true;

/** The record of an operation's target; undefined for one that is deleted. */
export async function lastingTarget({ deps }: Laptop, operation: OperationId): Promise<unknown> {
  const { spec } = await mustLoad(deps, "operation", operation);
  return lasting(await load(deps, spec.target.kind, spec.target.id));
}

function lasting(value: unknown): unknown {
  if (typeof value === "string") return value.replace(anId, "an id");
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(
    ([name, member]) => !passing.test(name) && !isGone(member),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, lasting(member)]));
}
