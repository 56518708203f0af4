import { expect, it } from "vitest";
import { TokenBuckets } from "../../../functions/api/token-buckets.ts";

it("a bucket fills at its rate, and no further than it holds", () => {
  const buckets = new TokenBuckets(2);
  const takeAll = (now: number) => {
    let count = 0;
    for (; buckets.wait("a", now) === 0; count++) buckets.take("a", now);
    return count;
  };
  expect([takeAll(0), takeAll(0), takeAll(499), takeAll(500), takeAll(60_000)]).toEqual([
    20, 0, 0, 1, 20,
  ]);
  expect(buckets.wait("a", 60_000)).toBe(500);
  expect(buckets.wait("b", 60_000)).toBe(0);
  expect(buckets.take("b", 60_000)).toBe(19);
});

it("what is kept does not grow with who asks: who was used last is kept", () => {
  const buckets = new TokenBuckets(1);
  for (let n = 0; n < 10; n++) buckets.take("first", 0);
  for (let n = 0; n < 9_999; n++) buckets.take(`key ${n}`, 0);
  expect(buckets.wait("first", 0)).toBe(1000);
  buckets.take("one more", 0);
  expect(buckets.wait("first", 0)).toBe(0);
});
