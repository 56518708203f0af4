import { expect, it } from "vitest";
import { sum } from "../../simulate/counts.ts";
import { Dice } from "../../simulate/dice.ts";
import { seeded } from "../support/random.ts";

const faults = { often: { weight: 3, act: "o" }, seldom: { weight: 1, act: "s" } };

function rolled(rate: number, areOn = true) {
  const dice = new Dice(seeded(7), rate);
  dice.areOn = areOn;
  const acts = Array.from({ length: 4000 }, () => dice.roll("a call", faults));
  return { acts, happened: dice.happened };
}

it("things go wrong as often as told, each as often as its weight says, and are counted", () => {
  const { acts, happened } = rolled(0.1);
  expect(sum(happened)).toBe(acts.filter((act) => act !== undefined).length);
  expect(sum(happened)).toBeGreaterThan(340);
  expect(sum(happened)).toBeLessThan(460);
  const { "a call: often": often = 0, "a call: seldom": seldom = 0 } = happened;
  expect(often / seldom).toBeGreaterThan(2);
  expect(often / seldom).toBeLessThan(4);
});

it.each([
  ["the dice are off", 0.5, false],
  ["the rate is 0", 0, true],
] as const)("nothing goes wrong where %s", (_, rate, areOn) => {
  expect(rolled(rate, areOn).happened).toEqual({});
});
