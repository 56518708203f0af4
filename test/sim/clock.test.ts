import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hours, sleep } from "../../core/clock.ts";
import { ScaledClock } from "../../sim/clock.ts";
import { openDatabase } from "../../sim/database.ts";

const start = Date.UTC(2026, 0, 1);
let database: DatabaseSync;
const clocks: ScaledClock[] = [];

/** Of a process that has all the time that passes. */
const wholeTime = () => performance.now();

function open(speed = 60, processTime = wholeTime): ScaledClock {
  const clock = new ScaledClock({ database, speed, start, processTime });
  clocks.push(clock);
  return clock;
}

beforeEach(() => {
  // Real time is the test's to move.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  database = openDatabase(":memory:");
});
afterEach(() => {
  for (const clock of clocks.splice(0)) clock.stop();
  vi.useRealTimers();
});

describe("the scaled clock", () => {
  it("runs as much faster as it is told", () => {
    const clock = open(60);
    vi.advanceTimersByTime(1000);
    expect(clock.now() - start).toBe(60_000);
  });

  it("stands still until it is told to run, when it is opened so", () => {
    const clock = new ScaledClock({
      database,
      speed: 60,
      start,
      paused: true,
      processTime: wholeTime,
    });
    clocks.push(clock);
    let fired = 0;
    clock.after(1000, () => fired++);
    vi.advanceTimersByTime(5000);
    expect([clock.now() - start, fired]).toEqual([0, 0]);
    clock.run();
    vi.advanceTimersByTime(1000);
    expect([clock.now() - start, fired]).toEqual([60_000, 1]);
  });

  it("fires timers in the order of their times, equal ones in the order they were set", () => {
    const clock = open();
    const fired: string[] = [];
    clock.after(9000, () => fired.push("late"));
    clock.after(3000, () => fired.push("first"));
    clock.after(3000, () => fired.push("second"));
    clock.after(1000, () => fired.push("early"));
    vi.advanceTimersByTime(200);
    expect(fired).toEqual(["early", "first", "second", "late"]);
  });

  it("fires nothing before its time, and at its time", () => {
    const clock = open(60);
    let firedAt = 0;
    clock.after(60_000, () => {
      firedAt = clock.now();
    });
    vi.advanceTimersByTime(990);
    expect(firedAt).toBe(0);
    vi.advanceTimersByTime(20);
    expect(firedAt).toBeGreaterThanOrEqual(start + 60_000);
  });

  it.each([
    ["250 real milliseconds", 60, 15_000],
    ["a minute of its own", 1000, 60_000],
  ])("does not count more than %s of a stall", (_, speed, counted) => {
    const clock = open(speed);
    const stalled = performance.now() + 10_000;
    vi.spyOn(performance, "now").mockReturnValue(stalled);
    expect(clock.now() - start).toBe(counted);
  });

  it.each([
    ["counts the tenth that the machine gave the process", 300, 0.1, [30, 36]],
    ["keeps time at speed 1, however little the machine gave the process", 1, 0, [10, 10]],
  ])("%s", (_, speed, given, [least = 0, most = 0]) => {
    const seconds = speed === 1 ? 10 : 1;
    const clock = open(speed, () => performance.now() * given);
    vi.advanceTimersByTime(seconds * 1000);
    const counted = (clock.now() - start) / 1000;
    expect(counted).toBeGreaterThanOrEqual(least);
    expect(counted).toBeLessThanOrEqual(most);
  });

  it("fires no deadline while the machine gives the process nothing", () => {
    let had = 0;
    const clock = open(1000, () => had);
    const deadline = vi.fn();
    clock.after(hours(1), deadline);
    vi.advanceTimersByTime(10_000);
    expect(deadline).not.toHaveBeenCalled();
    had += 250;
    vi.advanceTimersByTime(10_000);
    expect(deadline).not.toHaveBeenCalled();
    for (let n = 0; n < 70; n++) {
      had += 50;
      vi.advanceTimersByTime(50);
    }
    expect(deadline).toHaveBeenCalledTimes(1);
  });

  it("fires what is due now without waiting for a tick", () => {
    const clock = open();
    let chain = 0;
    clock.after(0, () => clock.after(0, () => chain++));
    vi.advanceTimersByTime(10);
    expect(chain).toBe(1);
  });

  it("never fires a timer that was cancelled, also by one of the same tick", () => {
    const clock = open();
    const [fired, others] = [vi.fn(), vi.fn()];
    const second = { cancel: () => {} };
    clock.after(1000, () => second.cancel());
    Object.assign(second, clock.after(1000, fired));
    const third = clock.after(500, fired);
    for (const ms of [500, 600, 1000]) clock.after(ms, others);
    third.cancel();
    vi.advanceTimersByTime(1000);
    expect(fired).not.toHaveBeenCalled();
    // Those that nobody cancelled.
    expect(others).toHaveBeenCalledTimes(3);
  });

  it("counts 250 real milliseconds at most for a process that stood still", () => {
    const clock = open(60);
    const deadline = vi.fn();
    clock.after(hours(1), deadline);
    vi.advanceTimersByTime(100);
    const before = clock.now();
    // The process sleeps: real time goes on, timers do not.
    const real = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => real() + hours(8));
    expect(clock.now() - before).toBeLessThanOrEqual(250 * 60);
    vi.advanceTimersByTime(50);
    expect(clock.now() - before).toBeLessThanOrEqual(2 * 250 * 60);
    expect(deadline).not.toHaveBeenCalled();
    // Now the process runs again, and the deadline comes when its hour is over.
    while (clock.now() < start + hours(1)) vi.advanceTimersByTime(1000);
    vi.advanceTimersByTime(100);
    expect(deadline).toHaveBeenCalledTimes(1);
  });

  it("goes on where it was stopped", () => {
    const first = open();
    vi.advanceTimersByTime(777);
    first.stop();
    const stopped = first.now();
    vi.advanceTimersByTime(hours(1));
    expect(open().now()).toBe(stopped);
  });

  it("never goes back when the process was killed, and is at most 250 real ms ahead", () => {
    const killed = open(60);
    vi.advanceTimersByTime(1234);
    const last = killed.now();
    const again = open(60);
    expect(again.now()).toBeGreaterThanOrEqual(last);
    expect(again.now() - last).toBeLessThanOrEqual(250 * 60);
  });

  it("fires nothing once it is stopped", () => {
    const clock = open();
    const fired = vi.fn();
    for (const ms of [50, 100, 60_000]) clock.after(ms, fired);
    vi.advanceTimersByTime(100);
    expect(fired).toHaveBeenCalledTimes(2);
    clock.stop();
    clock.after(100, fired);
    vi.advanceTimersByTime(10_000);
    expect(fired).toHaveBeenCalledTimes(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("serves sleep", async () => {
    const clock = open();
    const slept = sleep(clock, 6000);
    vi.advanceTimersByTime(150);
    await slept;
    expect(clock.now() - start).toBeGreaterThanOrEqual(6000);
  });
});
