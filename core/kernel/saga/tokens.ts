import { createHash } from "node:crypto";
import { hours } from "../../clock.ts";
import type { Deps } from "../deps.ts";
import { tokenKey } from "../object/keys.ts";
import type { Store } from "../store/store.ts";
import type { TaskAnswers } from "./workflow.ts";

/**
 * Tokens of waiting tasks. A token of Step Functions has some 700 bytes. Inside the operation, they would be charged
 * with each write and with each check of the fence. So a token has an item of its own, written once, and the operation
 * has the item's name.
 */

const prefix = "kept#";

/** The timeout of a state comes a little after the time limit of its task. */
const margin = hours(1);

/**
 * Stores the token of a task that may wait this long (milliseconds), and answers its name. Safe to repeat: the name
 * follows from the token.
 */
export async function keepToken(
  { store, clock }: Pick<Deps, "store" | "clock">,
  token: string,
  longest: number,
): Promise<string> {
  const name = createHash("sha256").update(token).digest("base64url").slice(0, 22);
  const expires = Math.ceil((clock.now() + longest + margin) / 1000);
  await store.transact([{ put: { ...tokenKey(name), token, expires } }]);
  return `${prefix}${name}`;
}

/** The token with this name; undefined if it was dropped. A token that was never stored is its own name. */
export async function keptToken(store: Store, name: string): Promise<string | undefined> {
  if (!name.startsWith(prefix)) return name;
  const item = await store.get(tokenKey(name.slice(prefix.length)));
  return item && String(item.token);
}

/** Answers tasks by the names of their tokens. If a token was dropped, its task no longer waits. */
export const byKeptTokens = (store: Store, { succeed, fail }: TaskAnswers): TaskAnswers => ({
  async succeed(name) {
    const token = await keptToken(store, name);
    return token !== undefined && succeed(token);
  },
  async fail(name, ...error) {
    const token = await keptToken(store, name);
    return token !== undefined && fail(token, ...error);
  },
});
