import { createApp } from "../../functions/api/app.ts";
import type { Principal } from "../../functions/identity/principal.ts";
import { type Api, people } from "./api.ts";
import { inRounds, type Round } from "./rounds.ts";

/** What was answered, and what was asked outside for it. */
export interface Asked {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
  rounds: Round[];
}

export interface Asking {
  who?: Principal;
  body?: object | undefined;
  headers?: Record<string, string>;
}

/** Asks the API, and tells in which rounds it asked the store and the secrets. */
export async function askInRounds(
  api: Api,
  method: string,
  path: string,
  { who = people.ann, body, headers = {} }: Asking = {},
): Promise<Asked> {
  const { rounds, store, secrets } = inRounds(api.deps);
  const principal = () => who;
  const app = createApp({ ...api.deps, store, secrets }, { profile: "slipway", principal });
  const answer = await app.request(path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = text.startsWith("{") && !text.includes("\n");
  return { status: answer.status, text, body: isJson ? JSON.parse(text) : {}, rounds };
}

/** Keys that were asked for more than once. */
export function readTwice(rounds: Round[]): string[] {
  const keys = rounds
    .flat()
    .flatMap((call) => /^get(?:Many)? (.*)/.exec(call)?.[1]?.split(" ") ?? []);
  return keys.filter((key, n) => keys.indexOf(key) !== n);
}
