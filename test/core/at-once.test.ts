import { expect, it } from "vitest";
import { atOnce } from "../../core/at-once.ts";

it.each([
  [3, 7],
  [16, 2],
  [1, 4],
])("%i at a time of %i begin in their order, and each is done once", async (most, count) => {
  const items = Array.from({ length: count }, (_, n) => n);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = atOnce(most, items, (n) => {
    begun.push(n);
    return new Promise((resolve) => void ends.push(resolve));
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (let done = 0; done < count; done++) {
    await turn();
    expect(begun).toEqual(items.slice(0, done + most));
    // The newest ends first.
    ends.pop()?.();
  }
  await all;
  expect(begun).toEqual(items);
});

it("does the others when some fail, and rejects with the first error", async () => {
  async function* items() {
    yield* [1, 2, 3, 4];
  }
  const done: number[] = [];
  const work = async (n: number) => {
    if (n < 3) throw new Error(`${n} failed`);
    done.push(n);
  };
  await expect(atOnce(2, items(), work)).rejects.toThrow("1 failed");
  expect(done).toEqual([3, 4]);
});
