import { expect, it } from "vitest";
import { onFreePort } from "../../sim/free-port.ts";

const taken = Object.assign(new Error("taken"), { code: "EADDRINUSE" });

/** Listens where it may; these ports are taken. */
const listening =
  (...ports: number[]) =>
  async (port: number) => {
    if (ports.includes(port)) throw taken;
    return port;
  };

it("is the first from the one that was asked for", async () => {
  expect(await onFreePort(10_000, listening())).toBe(10_000);
  expect(await onFreePort(10_000, listening(10_000, 10_001, 10_003))).toBe(10_002);
});

it("is the system's to choose when none was asked for", async () => {
  expect(await onFreePort(0, listening())).toBe(0);
  await expect(onFreePort(0, listening(0))).rejects.toThrow(taken);
});

it("is not looked for after another failure", async () => {
  const refused = new Error("refused");
  await expect(onFreePort(10_000, () => Promise.reject(refused))).rejects.toThrow(refused);
});
