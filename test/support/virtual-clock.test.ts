import { webcrypto } from "node:crypto";
import { expect, it } from "vitest";
import { VirtualClock } from "./virtual-clock.ts";

it("does not move on while keys are being made, however long that takes", async () => {
  const clock = new VirtualClock();
  const made: number[] = [];
  const publicExponent = new Uint8Array([1, 0, 1]);
  const algorithm = { name: "RSA-PSS", hash: "SHA-256", modulusLength: 4096, publicExponent };
  const make = async () => {
    await webcrypto.subtle.generateKey(algorithm, false, ["sign"]);
    made.push(clock.now());
  };
  clock.after(1000, () => void make());
  const start = clock.now();
  await clock.advance(5000);
  expect(made).toEqual([start + 1000]);
});
