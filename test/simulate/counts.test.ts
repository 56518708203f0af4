import { expect, it } from "vitest";
import { pattern } from "../../simulate/counts.ts";

it.each([
  ["vlan site-1/117 is there twice", "vlan site-… is there twice"],
  ["cluster 019b7a3e-0000-7000-8000-0123456789ab lacks it", "cluster … lacks it"],
  ["since 2026-01-01T00:00:00.000Z", "since …"],
  ["2 of 3 nodes are ready", "… of … nodes are ready"],
  ["namespace slipway-kx3f8ab2cd is left", "namespace … is left"],
  ["a hub that does not answer", "a hub that does not answer"],
])("%s", (text, expected) => {
  expect(pattern(text)).toBe(expected);
});
