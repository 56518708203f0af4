import type { Kind } from "../../core/kernel/object/object.ts";
import { act } from "../../core/kernel/request/action.ts";
import type { Accepted } from "../../core/kernel/request/checks.ts";
import type { Definition } from "../../core/kernel/request/definition.ts";
import type { TestDeps } from "./deps.ts";
import { ann } from "./orders.ts";

/** The part of a definition that says how an object is retried. */
export type Retried<K extends Kind> = Pick<Definition<K>, "kind" | "orders">;

/** Retries the failed order of an object, without HTTP. */
export async function retryObject<K extends Kind>(
  deps: TestDeps,
  { kind, orders }: Retried<K>,
  id: string,
  caller = ann,
): Promise<Accepted<K>> {
  if (!orders?.retry) throw new Error(`${kind} is not retried`);
  const request = { deps, caller, id, match: {}, input: undefined };
  const done = await act(kind, orders.retry, request);
  if ("answer" in done) throw new Error("the retry answers something else than its object");
  return done;
}
