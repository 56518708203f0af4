import { describe, expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import {
  type Consent,
  consentHolds,
  consentInWords,
  isOver,
} from "../../../../core/resources/baremetal-instance/consent.ts";

/** When a consent lets a repair begin, and when it ends. */

const t0 = Date.parse("2026-05-04T10:00:00.000Z");
const of = (given: Consent["given"], more: Partial<Consent> = {}): Consent => ({
  ...{ given, by: "ann", at: timestamp(t0 - 1) },
  ...more,
});
const window = of("window", { from: timestamp(t0), until: timestamp(t0 + 1000) });

describe("at each moment", () => {
  it.each<[string, Consent | undefined, number, { holds: boolean; isOver: boolean }]>([
    ["without a consent nothing begins", undefined, t0, { holds: false, isOver: false }],
    ["`now` holds at any time", of("now"), t0, { holds: true, isOver: false }],
    [
      "`on_restart` begins nothing by itself",
      of("on_restart"),
      t0,
      { holds: false, isOver: false },
    ],
    ["a window does not hold before it", window, t0 - 1, { holds: false, isOver: false }],
    ["a window holds from its start", window, t0, { holds: true, isOver: false }],
    ["a window holds to its last millisecond", window, t0 + 999, { holds: true, isOver: false }],
    ["a window is over at its end", window, t0 + 1000, { holds: false, isOver: true }],
    ["a window without ends never holds", of("window"), t0, { holds: false, isOver: false }],
  ])("%s", (_, consent, now, expected) => {
    expect({ holds: consentHolds(consent, now), isOver: isOver(consent, now) }).toEqual(expected);
  });
});

it.each<[Consent, string]>([
  [of("now"), "it begins once no other operation works on the server, with your consent"],
  [of("on_restart"), "it begins with the next restart, with your consent"],
  [window, "it begins between 2026-05-04T10:00:00Z and 2026-05-04T10:00:01Z, with your consent"],
])("%j in words", (consent, words) => {
  expect(consentInWords(consent)).toBe(words);
});
