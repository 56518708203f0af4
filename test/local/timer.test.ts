import { expect, it } from "vitest";
import { hours, minutes } from "../../core/clock.ts";
import { silent } from "../../core/log.ts";
import { every } from "../../local/timer.ts";

import { VirtualClock } from "../support/virtual-clock.ts";

it("runs an hourly job in every hour, however often the process is started anew", async () => {
  const clock = new VirtualClock();
  let runs = 0;
  for (let start = 0; start < 12; start++) {
    const stop = every(clock, hours(1), silent, async () => void runs++);
    await clock.advance(minutes(50));
    await stop();
  }
  expect(runs).toBe(10);
});
