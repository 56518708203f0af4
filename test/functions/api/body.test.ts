import { HonoRequest } from "hono/request";
import { expect, it } from "vitest";
import { readBody } from "../../../functions/api/body.ts";

/** How much a body may hold: the most that is read, and one more. */

async function refusalOf(body: string): Promise<string | undefined> {
  const request = new Request("http://127.0.0.1/", { method: "POST", body });
  try {
    await readBody(new HonoRequest(request));
    return undefined;
  } catch (error) {
    return String(error);
  }
}

const sized = (bytes: number) => `{"a":"${"x".repeat(bytes - 8)}"}`;
const deep = (depth: number) => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
const many = (members: number) => `{"a":[${Array(members).fill("1").join(",")}]}`;
const named = (length: number) => `{"${"n".repeat(length)}":1}`;

it.each([
  ["1 MiB", sized(1024 * 1024), sized(1024 * 1024 + 1), "is larger than 1048576 bytes"],
  ["64 levels", deep(64), deep(65), "is nested deeper than 64"],
  ["10,000 members", many(10_000), many(10_001), "has more than 10000 members"],
  ["names of 1,024 letters", named(1024), named(1025), "has a name longer than 1024"],
])("a body of %s is read, and one of more is refused", async (_, most, more, words) => {
  expect(await refusalOf(most)).toBeUndefined();
  expect(await refusalOf(more)).toContain(words);
});
