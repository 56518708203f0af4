import { expect, it } from "vitest";
import { manyWriters, oneWriter } from "../../../../core/kernel/events/log-time.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";

const clock = new VirtualClock(1_000_000);

it("is in microseconds, and moves on although the clock stands still", () => {
  const { next } = oneWriter(clock);
  expect([next(), next(), next()]).toEqual([1_000_000_000, 1_000_000_001, 1_000_000_002]);
});

it("lets readers of one writer read everything at once, and nothing of what comes", () => {
  const time = oneWriter(clock);
  const written = time.next();
  const end = time.settled();
  expect(end).toBeGreaterThan(written);
  expect(time.next()).toBeGreaterThan(end);
  expect(time.until(written)).toBe(0);
});

it.each([0, 999])(
  "holds readers of many writers back until an entry has settled: %i",
  async (more) => {
    const settling = 2000;
    const many = manyWriters(clock, { settling, longestTry: 1000, apart: 500 });
    const written = clock.now() * 1000 + more;
    const wait = many.until(written);
    await clock.advance(wait - 1);
    expect(many.settled()).toBeLessThanOrEqual(written);
    await clock.advance(1);
    expect(many.settled()).toBeGreaterThan(written);
    expect(many.until(written)).toBe(0);
  },
);
