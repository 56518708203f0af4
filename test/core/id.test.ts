import { expect, it } from "vitest";
import { systemClock } from "../../core/clock.ts";
import { idSource } from "../../core/id.ts";
import { seeded } from "../support/random.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

it("ids of one source only grow, within a millisecond and when the clock goes back", async () => {
  const clock = new VirtualClock();
  let behind = 0;
  const newId = idSource({ now: () => clock.now() - behind, after: systemClock.after }, seeded(1));
  const ids: string[] = [];
  const take = (count: number) => {
    for (let n = 0; n < count; n++) ids.push(newId());
  };
  take(1000);
  await clock.advance(1);
  take(1000);
  behind = 500;
  take(1000);
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(3000);
  expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/.test(id))).toBe(true);
});
