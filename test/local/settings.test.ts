import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { dataFolder, otherIssuers, workerTimeout } from "../../local/settings.ts";

let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "slipway-settings-"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

it("makes the data folder, for its owner only", () => {
  vi.stubEnv("SLIPWAY_DATA", join(base, "a", "b"));
  expect(dataFolder()).toBe(join(base, "a", "b"));
  expect(statSync(join(base, "a", "b")).mode & 0o077).toBe(0);
});

it("names the setting and the path when the data folder is a file", () => {
  const file = join(base, "file");
  writeFileSync(file, "");
  vi.stubEnv("SLIPWAY_DATA", file);
  expect(dataFolder).toThrow(`SLIPWAY_DATA must be a folder that can be written to, not '${file}'`);
});

it.skipIf(process.getuid?.() === 0)("says so when the data folder is read-only", () => {
  const folder = mkdtempSync(join(base, "read-only-"));
  vi.stubEnv("SLIPWAY_DATA", folder);
  expect(dataFolder()).toBe(folder);
  chmodSync(folder, 0o500);
  expect(dataFolder).toThrow("SLIPWAY_DATA must be a folder that can be written to");
});

it("reads other issuers from a file, and says what is wrong with which", () => {
  expect(otherIssuers()).toEqual([]);
  const file = join(base, "issuers.json");
  vi.stubEnv("SLIPWAY_ISSUERS", file);
  expect(otherIssuers).toThrow(`SLIPWAY_ISSUERS must be a JSON file of issuers: ${file}: `);
  const issuers = [{ issuer: "https://login.example.com", audiences: ["slipway"] }];
  writeFileSync(file, JSON.stringify(issuers));
  expect(otherIssuers()).toEqual(issuers);
  writeFileSync(file, JSON.stringify([{ ...issuers[0], audiences: [] }]));
  expect(otherIssuers).toThrow("0.audiences: ");
});

it("takes how long a worker may run, and refuses less than a step needs", () => {
  expect(workerTimeout()).toBe(10_000);
  vi.stubEnv("SLIPWAY_WORKER_SECONDS", "120");
  expect(workerTimeout()).toBe(120_000);
  vi.stubEnv("SLIPWAY_WORKER_SECONDS", "5");
  expect(workerTimeout).toThrow("SLIPWAY_WORKER_SECONDS must be a whole number from 10 to 900");
});
