import { expect, it } from "vitest";
import * as z from "zod";
import type { Call } from "../../../../functions/api/call.ts";
import { listQuery } from "../../../../functions/api/list/query.ts";

/** How much a list answers, for what its client asks for. */

/** A list's parameters are all that it reads of a call. */
const callWith = (query: Record<string, string>) =>
  ({ query: (name: string) => query[name] }) satisfies Pick<Call, "query"> as Call;

it.each<[Record<string, string>, number, number]>([
  [{}, 100, 0],
  [{ limit: "0" }, 0, 0],
  [{ limit: "1" }, 1, 0],
  [{ limit: "1000" }, 1000, 0],
  [{ limit: "1001" }, 1000, 0],
  [{ offset: "-1" }, 100, 0],
  [{ offset: "10000" }, 100, 10_000],
])("%j is %i items after %i", (query, limit, offset) => {
  expect(listQuery(callWith(query), () => z.object({}))).toMatchObject({ limit, offset });
});

it.each<Record<string, string>>([
  { limit: "-1" },
  { limit: "1.5" },
  { offset: "10001" },
  { offset: "1", page_token: "x" },
])("%j is refused", (query) => {
  expect(() => listQuery(callWith(query), () => z.object({}))).toThrow();
});
